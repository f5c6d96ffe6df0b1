"""Games and hands played beside engines that others wrote, where those are installed (the extra `peers`)."""
