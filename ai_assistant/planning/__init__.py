"""Planning: goals and projects, which goal is the most urgent, and how one is broken down."""
