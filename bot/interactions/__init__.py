"""Commands and components: an interaction comes in, the tables are asked, one answer goes out."""
