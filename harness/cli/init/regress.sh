#!/bin/sh
# What this change makes different: picafuzz/cases on the plug-in of another checkout (of the target branch) and on this
# one's, as a page of pictures in picafuzz-regress/. A change is often meant, and a crash is what check.sh fails for (or
# the other checkout's), so this one fails for neither; without the other plug-in there is no page.
# Usage: regress.sh CHECKOUT        after build.sh
# Exit codes: 0 the page is there, or nothing to compare with; others: the run failed.
set -eu
cd "$(dirname "$0")/.."
sh "$1/picafuzz/build.sh" || { echo "regress.sh: $1 does not build: nothing to compare with" >&2; exit 0; }
code=0
build-picafuzz/picafuzz regress -b "$1/build-picafuzz/picafuzz_plug_in.so" -b ./build-picafuzz/picafuzz_plug_in.so \
  -o picafuzz-regress picafuzz/cases || code=$?
case $code in 0 | 1 | 3) ;; *) exit "$code" ;; esac
