"""Ways for other programs to play: a step interface for learners, PettingZoo, data frames, a Dask cluster."""
