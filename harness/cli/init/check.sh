#!/bin/sh
# Compares the plug-in with picafuzz's own GPU: the cases in picafuzz/cases, and a hunt of PICAFUZZ_SECONDS (300) through
# generated ones. What differs becomes pages in picafuzz-report/, with findings.sarif and junit.xml for annotations;
# score.html there is how many cases of the frozen pack are right. Several machines: PICAFUZZ_SHARD=1/4, 2/4 ...; other
# cases: PICAFUZZ_SEED=2.
# Exit codes: 0 nothing is new, 1 something is, 3 the plug-in crashed or hung, others: the run failed.
# What is known and accepted stands in picafuzz/my.quirks (docs/formats/quirks.md); after a look at the pages,
# `build-picafuzz/picafuzz triage --quirks picafuzz/my.quirks --accept all picafuzz-findings` adds to it.
set -eu
cd "$(dirname "$0")/.."
pair='reference,./build-picafuzz/picafuzz_plug_in.so'
rm -rf picafuzz-findings picafuzz-report

# Its findings are judged below, with the cases.
code=0
build-picafuzz/picafuzz fuzz --peel -b "$pair" --quirks picafuzz/my.quirks --findings picafuzz-findings \
  --seconds "${PICAFUZZ_SECONDS:-300}" --executions "${PICAFUZZ_CASES:-0}" --jobs "$(nproc)" \
  --shard "${PICAFUZZ_SHARD:-1/1}" --seed "${PICAFUZZ_SEED:-1}" || code=$?
[ "$code" -le 1 ] || exit "$code"

code=0
build-picafuzz/picafuzz report -b "$pair" --quirks picafuzz/my.quirks -o picafuzz-report picafuzz/cases \
  picafuzz-findings || code=$?
[ "$code" -ne 4 ] || exit 4

# The numbers, as a page and a badge. It decides nothing here: what fails today would fail every day.
# (PICAFUZZ_PACK: another pack than the program's own.)
build-picafuzz/picafuzz score -b "${pair#*,}" --quirks picafuzz/my.quirks --list 0 --html picafuzz-report/score.html \
  --badge picafuzz-report/score.svg ${PICAFUZZ_PACK:+"$PICAFUZZ_PACK"} || [ $? -ne 4 ]
exit "$code"
