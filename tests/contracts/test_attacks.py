"""Every attack keeps the laws of attackers."""

import pytest

from shoal.attacks import Attack, attacks
from shoal.testing import check_attack
from shoal.testing.raw_exposure import raw_exposure


@pytest.mark.parametrize("family", list(attacks), ids=lambda family: family.name)
def test_an_attack_keeps_every_law(family: type[Attack]) -> None:
    usual = [one for kind in sorted(family.kinds) for one in family.usual(raw_exposure(kind))]
    for attack in dict.fromkeys((*family.examples(), *usual)):
        check_attack(attack, examples=15)
