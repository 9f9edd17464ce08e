"""What people see before they log in."""

CONNECTION_SCREEN = """
|y            ~  ~   ~     |n|w H O L L I N   F O R D |n|y    ~   ~  ~|n

 A ford, a bridge with a hole in it, and an inn where it is always warm.
 Two of the people you will meet think for themselves, and remember.

   |wconnect guest|n                 walk in and look around
   |wcreate <name> <password>|n      be somebody they can remember tomorrow
   |wconnect <name> <password>|n     come back

 |whelp|n for more, |wlook|n to see this again, |wquit|n to leave.
"""
