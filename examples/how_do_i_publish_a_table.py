"""How do I publish a table so that nobody in it can be picked out?

Makes a table of people, publishes it with 5-anonymity and 2-diversity, and checks the release as a reader would.
"""

import tempfile
from pathlib import Path

import shoal
from shoal.datasets import write_generated


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "people.csv"
        schema = write_generated("table", data, rows=2000, seed=1)
        promises = ["k-anonymity:k=5", "l-diversity:l=2,kind=distinct"]

        before = shoal.check(data, promises, schema)
        print("as it stands:", "holds" if before.holds else f"{before.verdicts[0].violations} records stand out")

        release, ledger = Path(folder) / "release", Path(folder) / "ledger"
        result = shoal.publish(
            data, schema=str(schema), models=promises, method="mondrian", out=str(release), ledger=str(ledger)
        )
        print(f"published: {result.records_out} records in {result.groups} groups")

        print("verified without the original:", shoal.verify(release).holds)
        print("average group size:", round(shoal.measure(release, ledger).measures["average group size"], 1))


if __name__ == "__main__":
    main()
