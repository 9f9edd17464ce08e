"""The fakes, which games build their own tests on."""
