"""How a model is reached: profiles, the wire format, the bridge, and the offline model."""
