#!/usr/bin/env bash
# bench/bugs/blame: a mutant that is lost between the case that shows it and the localiser counts as wrong, not as one that
# no case shows; what other options found is not judged again. Usage: check_blame.sh DIRECTORY
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"/bin
cd "$1"
fail() { echo "check_blame: $1" >&2; exit 1; }

# Stand in for the programs: a case shows every mutant but one, and two kill their backend, one of them by a case; of the
# others one is named rightly, one's reduced case shows nothing, and one makes the localiser die.
cat >bin/bench_bugs <<'FAKE'
#!/bin/bash
echo "$*" >>"$SAID"
case $1,$2 in
  hunt,*/dead.so) exit 1 ;;
  hunt,*/killed.so) echo '{"found":true,"died":"signal 11"}' ;;
  hunt,*/silent.so) echo '{"found":false}' ;;
  hunt,*) echo '{"found":true}' ;;
  judge,*/good.so) echo '{"differs":true,"stage":"blend","stage_right":true,"rule_right":true,"named_rules":["BLD-02"]}' ;;
  judge,*/lost.so) echo '{"differs":false}' ;;
  judge,*) exit 1 ;;
esac
FAKE
echo 'echo "{}"' >bin/picafuzz
chmod +x bin/*
export SAID=$PWD/said
line=$(grep -n 'PICA_' "$tree/reference/blend.c" | head -n 1 | cut -d : -f 1)
for home in reference-7-60 reference-7-60-most99-tries9; do
  mkdir -p "blame/$home"
  printf "%s\treference/blend.c:$line~a\ta\n" good lost mute silent dead killed >"blame/$home/mutants.tsv"
done
blame() { "$tree/bench/bugs/blame" --build "$PWD" --seed 7 "$@"; }
blame >output
grep -q '^reference, seed 7: 6 mutants, 3 shown by a case (2 of them lost on the way), 2 that die or hang$' output ||
  fail "not what became of them: $(cat output)"
grep -q '^of the shown: right stage 33.3 %, right rule 33.3 % ' output || fail "who is lost does not count: $(cat output)"
grep -q '^lost .* lost ' output || fail "who is lost is not named: $(cat output)"
blame --json --quiet | grep -q '"lost":2' || fail "not in JSON"
[[ $(grep -c ^hunt said) == 6 ]] || fail "what was found is looked for again"
blame --most 99 --tries 9 >output
[[ $(grep -c '^hunt .*--most 99' said) == 6 ]] || fail "--most is not looked at where there are results: $(cat said)"
