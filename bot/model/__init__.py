"""What is known of one table and one server, and what follows from it. Pure: no store calls, no discord."""
