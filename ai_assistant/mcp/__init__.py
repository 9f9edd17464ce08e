"""The memory of the characters for programs that speak MCP; see `docs/mcp.md`."""
