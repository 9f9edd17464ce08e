"""Roleplay: character cards and lorebooks, and who knows what of a scene."""
