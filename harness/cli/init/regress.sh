#!/bin/sh
# What this change makes different: picafuzz/cases on the plug-in of another checkout (of the target branch) and on this
# one's, as a page of pictures in picafuzz-regress/. A change is often meant, so it does not fail.
# Usage: regress.sh CHECKOUT        after build.sh
# Exit codes: 0 the page is there, 3 a plug-in crashed or hung, others: the run failed.
set -eu
cd "$(dirname "$0")/.."
sh "$1/picafuzz/build.sh"
code=0
build-picafuzz/picafuzz regress -b "$1/build-picafuzz/picafuzz_plug_in.so" -b ./build-picafuzz/picafuzz_plug_in.so \
  -o picafuzz-regress picafuzz/cases || code=$?
[ "$code" -le 1 ] || exit "$code"
