"""Pictures of boards, plans and reach: SVG, PNG, and pages to step through.

`planner.draw.picture.Picture` is the whole of it; `save` writes one to a file. Nothing here searches, and no solver is loaded.
"""
