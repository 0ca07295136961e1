"""Who else may ask: the table of verbs, and what carries them: lines of JSON, HTTP, the Model Context Protocol."""
