"""Commands and components: each interaction goes through the guard, to the tables, and to one answer."""
