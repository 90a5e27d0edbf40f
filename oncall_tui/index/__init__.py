"""What is kept on disk: LanceDB tables and, beside them, a snapshot that opens in milliseconds."""
