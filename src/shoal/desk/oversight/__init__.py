"""Who watches over the desk: the terms of a requester, approval of requests, and two people for a policy.

Read ``terms`` first (who may ask at all), then ``approvals`` (a request that waits for an officer), ``proposals`` (a
change of a policy that needs a second person) and ``expiry``. ``rules`` says, for the audit, what may become of each.
"""
