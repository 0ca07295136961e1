"""The CP-SAT model: two unit layers over one coupling layer, and the search. Only this folder loads the solver."""
