"""Boards from elsewhere: VASSAL modules and saves, Tiled maps, and tables, as scenarios and back.

Everything that is read here may come from a stranger: archives are never unpacked to disk, what they hold is counted
while it is read, and XML has neither entities nor declarations of a document type.
"""
