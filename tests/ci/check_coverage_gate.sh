#!/usr/bin/env bash
# ci/coverage judges the tables of a run: both totals are printed, each of the four numbers can fail the gate alone, and a
# table without a total is an error, not a success.
# Usage: tests/ci/check_coverage_gate.sh DIRECTORY      (a scratch directory)
set -euo pipefail
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
scratch=$(cd "$1" && pwd)
failed=0

# table NAME LINES BRANCHES: what ci/coverage writes about a backend.
table() {
  printf '%-36s %7d %7d %8s %9d %7d %8s\n' clip.c 100 0 100.00% 50 0 100.00% TOTAL 1000 50 "$2%" 500 50 "$3%" \
    >"$scratch/report-$1.txt"
}
# expect CODE TEXT OPTION...: exit code and a part of what is said.
expect() {
  local code=0 said
  said=$("$source/ci/coverage" "${@:3}" --judge "$scratch" 2>&1) || code=$?
  [[ $code == "$1" && $said == *"$2"* ]] && return
  echo "check_coverage_gate: ${*:3}: exit code $code, not $1, or not '$2' in: $said" >&2
  failed=1
}

table reference 95.00 90.00
table fast 99.10 100.00
expect 0 $'reference/: lines 95.00%, branches 90.00%\nfast/: lines 99.10%, branches 100.00%'
expect 1 'fast/: lines 99.10%, branches 100.00%; the gate is 99.2 % and 0 %' --gate 99.2 0
expect 1 'reference/: lines 95.00%, branches 90.00%; the gate is 95 % and 90.1 %' --gate 95 90.1
expect 0 'reference/: lines 95.00%' --gate 9 9
table reference 94.99 100.00
expect 1 'reference/: lines 94.99%, branches 100.00%; the gate is 95 % and 90 %'
expect 0 'reference/: lines 94.99%' --no-tests
table reference 100.00 89.99
expect 1 'reference/: lines 100.00%, branches 89.99%; the gate is 95 % and 90 %'
table reference 100.00 100.00
table fast 94.99 95.00
expect 1 'fast/: lines 94.99%'
table fast 95.00 89.99
expect 1 'fast/: lines 95.00%'
sed -i '/^TOTAL/d' "$scratch/report-fast.txt"
expect 2 'no total'
echo 'TOTAL 0 0 - 0 0 -' >"$scratch/report-fast.txt"
expect 2 'no percentages'
exit $failed
