#!/bin/sh
# Compares the plug-in with picafuzz's own GPU: the cases in picafuzz/cases and some generated ones. What differs
# becomes pages in picafuzz-report/, with findings.sarif and junit.xml for annotations; score.html there is how many cases
# of the frozen pack are right.
# Exit codes: 0 nothing is new, 1 something is, 3 the plug-in crashed or hung, others: the run failed.
# What is known and accepted stands in picafuzz/my.quirks (docs/formats/quirks.md).
set -eu
cd "$(dirname "$0")/.."
pair='reference,./build-picafuzz/picafuzz_plug_in.so'
rm -rf picafuzz-findings picafuzz-report
mkdir picafuzz-findings

# The exit code is not looked at but for trouble: what differs is kept, and judged below.
code=0
build-picafuzz/picafuzz diff -q --no-explain -b "$pair" --quirks picafuzz/my.quirks \
  --generate 1 "${PICAFUZZ_CASES:-500}" --budget 5m -o picafuzz-findings || code=$?
[ "$code" -ne 4 ] || exit 4

set -- picafuzz/cases
[ -z "$(ls picafuzz-findings)" ] || set -- "$@" picafuzz-findings
code=0
build-picafuzz/picafuzz report -b "$pair" --quirks picafuzz/my.quirks -o picafuzz-report "$@" || code=$?
[ "$code" -ne 4 ] || exit 4

# The numbers, as a page and a badge. It decides nothing here: what fails today would fail every day.
# (PICAFUZZ_PACK: another pack than the program's own.)
build-picafuzz/picafuzz score -b "${pair#*,}" --quirks picafuzz/my.quirks --list 0 --html picafuzz-report/score.html \
  --badge picafuzz-report/score.svg ${PICAFUZZ_PACK:+"$PICAFUZZ_PACK"} || [ $? -ne 4 ]
exit "$code"
