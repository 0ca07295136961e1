"""The CP-SAT model: unit layers over one coupling layer; and running it. Only this folder loads the solver."""
