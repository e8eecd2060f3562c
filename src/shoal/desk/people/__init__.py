"""People who are in several data sets, and what views of these reveal together.

Read ``marks`` first (keyed hashes by which people are recognized in other data), then ``population`` (which data sets
are judged together), ``named_populations`` (what owners say of that) and ``joint_views`` (whether views keep the
promises together).
"""
