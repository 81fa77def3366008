"""Recomputes the numbers of the tests; exit code 1 if one differs. Started by ci/expected."""
import sys

import check_combiner
import check_fog
import check_lighting
import check_number
import check_pictures
import check_proctex
import check_texture
from report import Report

CHECKS = (check_number, check_pictures, check_texture, check_proctex, check_lighting, check_fog, check_combiner)


def main():
    report = Report()
    for check in CHECKS:
        check.check(report)
    for file, count in sorted(report.files.items()):
        print("%-28s %5d numbers" % (file, count))
    print("expected: %d numbers of %d files recomputed from docs/spec, %d differ" %
          (sum(report.files.values()), len(report.files), report.wrong))
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
