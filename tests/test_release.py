"""A release and a ledger are two types, and neither shows a value of a record."""

import dataclasses

import numpy as np
import polars as pl
import pytest

from shoal.data import Column, Microdata, Role
from shoal.release import Certificate, CertifiedPromise, Ledger, PublishedRecords
from shoal.version import __version__

PEOPLE = Microdata((Column.encode("name", Role.IDENTIFIER, pl.Series(["Quasimodo", "Esmeralda"])),))
CERTIFICATE = Certificate((CertifiedPromise("k-anonymity:k=2", "in words", {"k": 2}),), "mondrian", 2, 1)


def test_a_certificate_carries_the_version_that_made_it():
    assert CERTIFICATE.version == __version__


def test_a_certificate_has_no_room_for_anything_but_what_a_reader_can_compute_and_what_the_owner_accepted():
    published = {field.name for field in dataclasses.fields(Certificate)}
    decided = {"accepted_against_audit", "accepted"}
    assert published == {"promises", "method", "records", "groups", "version", "unit", "engine", *decided}
    assert {field.name for field in dataclasses.fields(CertifiedPromise)} == {"promise", "meaning", "level", "caveat"}
    assert {field.name for field in dataclasses.fields(PublishedRecords)} == {"records", "certificate"}


@pytest.mark.parametrize("thing", [PublishedRecords(PEOPLE, CERTIFICATE), CERTIFICATE], ids=["release", "certificate"])
def test_what_is_certified_cannot_be_changed(thing):
    for field in dataclasses.fields(thing):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(thing, field.name, None)


def test_the_repr_of_a_ledger_counts_and_names_nobody():
    ledger = Ledger(PEOPLE, np.array([1]), np.array([b"r0123"]), {"distortion": 0.25})
    assert repr(ledger) == "Ledger(1 of 2 records published)"
    release = PublishedRecords(PEOPLE, CERTIFICATE)
    assert not any(name in f"{release!r}{ledger!r}" for name in ("Quasimodo", "Esmeralda", "r0123"))
