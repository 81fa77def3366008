#!/usr/bin/env bash
# The ledger of ci/endurance: what is added, what the table makes of it, what it refuses. Usage: check_endurance.sh DIRECTORY
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
export PICAFUZZ_LEDGER=$PWD/ledger.tsv
rm -f "$PICAFUZZ_LEDGER"
fail() { echo "check_endurance: $1" >&2; exit 1; }
expect() { grep -qF -- "$1" table || fail "the table lacks: $1"; }
ledger() { "$tree/ci/endurance_ledger.py" "$@"; }

# A piece is what is in the later stats.json and not in the earlier one; an instance that did not run is none.
stats() { printf '{"instances": [{"name": "pair-asan", "seconds": %s, "executions": %s, "findings": 0},
  {"name": "pair-msan", "seconds": 5.0, "executions": 7, "findings": 1},
  {"name": "text", "seconds": 36.0, "executions": 72, "findings": 0},
  {"name": "afl-cmplog", "seconds": 36.0, "executions": 72, "findings": 0}]}' "$1" "$2"; }
stats 3600.0 1000000 >before.json
stats 10800.4 3000000 >after.json
for k in $(seq 24); do echo $((k <= 6 ? 1 : k <= 12 ? 100 : k <= 18 ? 150 : 101)); done >memory
ledger run before.json after.json memory
ledger run absent.json before.json absent
ledger kill 9 120 3 0 fuzz/fuzz_pair,afl/fuzz_pair_afl
ledger kill 9 100 3 1 fuzz/fuzz_pair
ledger kill 9-all 70 0 0 asan/fuzz_text
ledger kill power-ext4 50 1 0
ledger kill stop 60 1 0 ""
ledger table >table
now="$(git -C "$tree" rev-parse --short HEAD) ($(date -u +%F))"
expect '| pair-asan | address, undefined | 3.00 | 3 000 000 | 278 | 0 |'
expect '| pair-msan | memory | 0.00 | 7 | 1 | 1 |'
expect '| text | address, undefined | 0.01 | 72 | 2 | 0 |'
expect '| afl-cmplog | none | 0.01 | 72 | 2 | 0 |'
expect '| all | | 3.02 | 3 000 151 | 276 | 1 |'
expect '| 100 | 101 | 1.0 % |'
expect "| kill -9 | $now | 2 | 110 | afl/fuzz_pair_afl, fuzz/fuzz_pair | 1 |"
expect "| kill -9, without \`-b\` | $now | 1 | 70 | asan/fuzz_text | 0 |"
expect "| machine switched off (ext4) | $now | 1 | 50 | not looked at | 0 |"
expect "| \`systemctl stop\` | $now | 1 | 60 | none | 0 |"

# Lines of version 1 stay as they are, and are told apart from those of other commits; what comes then is version 2.
mv ledger.tsv kept
printf '# picafuzz endurance 1\nkill\tabc1234\t2026-11-23\t9\t80\t1\t0\nkill\tabc1234\t2026-11-23\tdisk\t60\t1\t0\n' >old
cp old ledger.tsv
ledger table >table
expect '| kill -9 | abc1234 (2026-11-23) | 1 | 80 | not looked at | 0 |'
ledger kill 9 100 3 0 fuzz/fuzz_pair
ledger kill full 90 3 0 fuzz/fuzz_pair
cmp -s old <(head -n 3 ledger.tsv) || fail "lines of version 1 were changed"
[[ $(sed -n 4p ledger.tsv) == '# picafuzz endurance 2' && $(wc -l <ledger.tsv) == 6 ]] || fail "version 2 does not begin once"
ledger table >table
expect '| kill -9 | abc1234 (2026-11-23) | 1 | 80 | not looked at | 0 |'
expect "| kill -9 | $now | 1 | 100 | fuzz/fuzz_pair | 0 |"
expect "| a disk filled to the last byte | $now | 1 | 90 | fuzz/fuzz_pair | 0 |"
mv kept ledger.tsv

# Nothing is added to a file that does not fit, and it is named.
refuse() { # WHAT MESSAGE
  cp ledger.tsv kept
  printf "$1" >>ledger.tsv
  cp ledger.tsv spoilt
  if ledger kill 9 1 1 0 2>message; then fail "taken: $1"; fi
  grep -qF -- "$2" message || fail "for '$1' it says: $(cat message)"
  cmp -s ledger.tsv spoilt || fail "changed after an error: $1"
  mv kept ledger.tsv
}
lines=$(wc -l <ledger.tsv)
refuse 'run\tabc' "ledger.tsv:$((lines + 1)): the last line is not finished"
refuse 'run\tabc\n' "ledger.tsv:$((lines + 1)): 'run' with 2 words"
refuse 'kill\tc\td\t9\t1\t1\tno\t-\n' "ledger.tsv:$((lines + 1)): a number is not whole"
refuse 'kill\tc\td\t9\t1\t1\t0\n' "ledger.tsv:$((lines + 1)): 'kill' with 7 words"
refuse '# picafuzz endurance 1\n' "ledger.tsv:$((lines + 1)): '# picafuzz endurance 1' with 1 words"
sed -i 1s/2/3/ ledger.tsv
refuse '' 'ledger.tsv:1: not version 2'

# A target whose memory grows with its passes, one that does not, one that dies.
rm -rf bin seeds ledger.tsv
mkdir -p bin seeds/{grows,stays,dies}
for name in grows stays dies; do echo x >seeds/$name/1; done
printf '#!/usr/bin/env python3\nimport sys\nx = bytearray(200000 * int(sys.argv[1].split("=")[1]))\n' >bin/fuzz_grows
printf '#!/usr/bin/env python3\n' >bin/fuzz_stays
printf '#!/bin/sh\nexit 1\n' >bin/fuzz_dies
chmod +x bin/*
if ledger passes bin seeds >output 2>&1; then fail "a target that grows is no failure"; fi
grep -q 'grows: .*IT GROWS' output || fail "growing is not said"
grep -q 'dies: it does not end' output || fail "dying is not said"
if grep 'stays: .*IT GROWS' output; then fail "flat is called growing"; fi
