"""What is certified of records as they are published, wherever they are."""

from collections.abc import Sequence

from shoal.anonymizers import Anonymizer
from shoal.data import Records
from shoal.models import PrivacyModel, Verdict
from shoal.release import Certificate, CertifiedPromise, n_published, unit_of

__all__ = ["certificate_of"]


def certificate_of(
    published: Records,
    models: Sequence[PrivacyModel],
    verdicts: Sequence[Verdict],
    method: Anonymizer,
    n_groups: int,
    engine: str = Certificate.engine,
) -> Certificate:
    """Return the certificate of published records on which these verdicts were found."""
    promises = (
        CertifiedPromise(each.promise, model.stated_meaning, each.level, each.caveat.sentence if each.caveat else "")
        for model, each in zip(models, verdicts, strict=True)
    )
    n = n_published(published)
    return Certificate(tuple(promises), str(method), n, n_groups, unit=unit_of(published), engine=engine)
