"""The version of the engine, as reports and recorded games name it."""

VERSION = "0.1.0"
