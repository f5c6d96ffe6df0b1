"""Ways for people to play: what a seat sees as text, a game at a terminal."""
