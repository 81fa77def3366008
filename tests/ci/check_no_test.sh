#!/usr/bin/env bash
# A test program that runs no test must fail (tests/main.c): where a filter matches nothing, and without /proc, where
# Criterion finds no test, if this system lets us hide that. Every program that is built must have that main function.
# Usage: check_no_test.sh DIRECTORY      with the test programs
set -euo pipefail
cd "$1"
said='no test was run'
failed=0 program=

expect_failure() { # what, exit code, output
  [[ $2 == 1 && $3 == *": $said, 0 skipped"* ]] && return
  printf '%s: exit code %s where no test was run\n%s\n' "$1" "$2" "$3"
  failed=1
}

for file in ./test_*; do
  [[ -x $file ]] || continue
  program=$file
  grep -qaF "$said" "$file" || { echo "$file: its main function is not that of tests/main.c"; failed=1; }
done
[[ -n $program ]] || { echo "no test program in $1"; exit 1; }

code=0
output=$("$program" --filter 'no_suite/no_test' 2>&1) || code=$?
expect_failure "$program" "$code" "$output"
hide='umount -l /proc && ! [ -e /proc/self ] && echo hidden'
if [[ $(unshare -m sh -c "$hide" 2>/dev/null) == hidden ]]; then
  code=0
  output=$(unshare -m sh -c "$hide; exec $program" 2>&1) || code=$?
  expect_failure "$program without /proc" "$code" "$output"
fi
exit "$failed"
