"""Attackers who re-identify a record because few people share what is known of its owner.

``risk`` is the prosecutor, journalist and marketer risk of a table; ``risky-columns`` names the few quasi-identifiers
by which most people are unique; ``sample-risk`` estimates by sampling weights, with the formula of ``individual_risk``,
how many people of the population a record may be of; ``unicity`` finds the fewest items by which a person is unique
among ratings. They can be read in any order.
"""
