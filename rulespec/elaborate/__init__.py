"""The meaning of phrases: parse trees to checked expressions, actions and phases."""
