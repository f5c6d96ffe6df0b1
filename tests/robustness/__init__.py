"""What went wrong once with odd input, and must not again."""
