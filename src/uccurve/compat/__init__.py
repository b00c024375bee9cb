"""Drop-ins for other libraries: change one import line, and old code runs on the exact core."""
