"""The database: migrations, the writer, queries, on real SQLite files."""
