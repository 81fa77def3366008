#!/usr/bin/env bash
# ci/check_rules.sh on a small tree of its own: which tags of a rule it takes, and how it counts them.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "check_rules_tags: $1" >&2; exit 1; }
mkdir -p "$work"/{ci,pica,docs/spec,reference,fast,tests/conformance}
cp "$source_dir/ci/check_rules.sh" "$work/ci/"
touch "$work/pica/splits.def"
for room in reference fast tests/conformance; do echo '/* GEN-01 GEN-02 */' > "$work/$room/a.c"; done
printf '| Id | What | Grade |\n|---|---|---|\n| H01 | a | B |\n| H02 | b | A |\n| H05 | c | - |\n' > "$work/docs/hardware.md"
# rules TAG: a page whose rule GEN-01 has that tag.
rules() { printf '# Page\n\n- **GEN-01** %b Text.\n- **GEN-02** [EMU: not recorded] Text.\n' "$1" > "$work/docs/spec/00-page.md"; }
# takes TAG, refuses TAG "TEXT": with that tag the check passes, or fails and says so.
takes() {
  rules "$1"
  "$work/ci/check_rules.sh" > "$work/out" 2>&1 || fail "refuses $1: $(cat "$work/out")"
}
refuses() {
  rules "$1"
  ! "$work/ci/check_rules.sh" > "$work/out" 2>&1 || fail "takes $1"
  grep -qF -- "$2" "$work/out" || fail "$1: no '$2' in: $(cat "$work/out")"
}

takes "[HW H01]"
takes "[HW H01, H02]"
takes "[HW H01,\n  H02]"
takes "[DOC]"
takes "[DOC: 3dbrew GPU/Pitfalls]"
takes "[EMU: Azahar SW, Corgi3DS]"
takes "[EMU: not recorded]"
takes "[DOC] [HW H01]"
refuses "[HW]" "00-page.md:3: [HW]: names no piece"
refuses "[HW: GBATEK]" "names no piece"
refuses "[HW:\n  GBATEK]" "00-page.md:3: [HW: GBATEK]: names no piece"
refuses "[HW H01 and H02]" "names no piece"
refuses "[HW H03]" "docs/hardware.md has no piece H03"
refuses "[HW H01, H04]" "docs/hardware.md has no piece H04"
refuses "[HW H01, H05]" "names a piece that measured nothing"
refuses "[EMU]" "names no emulator"
refuses "[EMU: all]" "names no emulator"
refuses "[EMU, Azahar]" "names no emulator"
refuses "[HW/SPLIT]" "names no piece"
refuses "[DOC+EMU]" "expected [DOC]"
refuses "[DOC] Text [HW]" "names no piece"

# counts TAG COLUMN: GEN-01 is counted there, and GEN-02 as not recorded.
counts() {
  rules "$1"
  "$work/ci/check_rules.sh" --provenance > "$work/out"
  awk -v column="$2" '/^all/ { exit !($(column + 1) == 1 && $10 == 1) }' "$work/out" || fail "$1: $(cat "$work/out")"
}
counts "[HW H02]" 1
counts "[HW H01]" 2
counts "[HW H01, H02]" 1
counts "[DOC]" 5
counts "[EMU: Azahar] [HW H01]" 6
counts "As in\\nGEN-02 [HW H01]" 2 # a line that begins with another rule is still of this one
printf '| Id | What | Grade |\n|---|---|---|\n| H01 | a | great |\n' > "$work/docs/hardware.md"
refuses "[HW H01]" "hardware.md:3: H01: expected the grade A, B, C, D or -, found 'great'"
echo "check_rules_tags: ok"
