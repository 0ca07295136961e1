"""How do I stop it: where to place, or to move, defenders so that no enemy plan achieves its goal."""
