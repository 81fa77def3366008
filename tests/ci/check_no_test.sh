#!/usr/bin/env bash
# A test program that runs no test must fail (tests/main.c): each that is built, where a filter matches nothing, and one
# without /proc, where Criterion finds no test, if this system lets us hide that.
# Usage: check_no_test.sh DIRECTORY      with the test programs
set -euo pipefail
cd "$1"
failed=0

expect_failure() { # what, exit code, output
  if [[ $2 != 1 || $3 != *": no test was run, 0 skipped"* ]]; then
    printf '%s: exit code %s where no test was run\n%s\n' "$1" "$2" "$3"
    failed=1
  fi
}

count=0
for program in ./test_*; do
  [[ -x $program ]] || continue
  code=0
  said=$("$program" --filter 'no_suite/no_test' 2>&1) || code=$?
  expect_failure "$program" "$code" "$said"
  count=$((count + 1))
done
((count != 0)) || { echo "no test program in $1"; failed=1; }

# The last of them.
hide='umount -l /proc && ! [ -e /proc/self ] && echo hidden'
if ((count != 0)) && [[ $(unshare -m sh -c "$hide" 2>/dev/null) == hidden ]]; then
  code=0
  said=$(unshare -m sh -c "$hide; exec $program" 2>&1) || code=$?
  expect_failure "$program without /proc" "$code" "$said"
fi
exit "$failed"
