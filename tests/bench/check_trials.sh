#!/usr/bin/env bash
# bench/bugs/trials goes on where it was, counts only what the sound backends do not show, and censors; bench/bugs/survival
# estimates as the literature does. Usage: check_trials.sh DIRECTORY
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"/builds/{fuzz,afl,release}/bin
cd "$1"
fail() { echo "check_trials: $1" >&2; exit 1; }

# Stands in for picafuzz: one bug is found at once, another never; what `unsound` is found in, the sound backends show.
cat >builds/fuzz/bin/picafuzz <<'FAKE'
#!/bin/bash
echo "$*" >>"$SAID"
while (($#)); do
  case $1 in
    --findings) findings=$2 ;;
    -b) backends=$2 ;;
    diff) is_diff=1 ;;
  esac
  last=$1
  shift
done
if [[ -n ${is_diff-} ]]; then
  [[ $backends != reference,fast || -n ${UNSOUND-} ]]
  exit $((1 - $?))
fi
case $backends in
  *fog-difference-unsigned*)
    mkdir -p "$findings"
    echo x >"$findings/job0-crash-1.pcase"
    echo "5 s, 700 executions, 140 a second"
    exit 1 ;;
esac
trap 'echo "5 s, 70 executions, 14 a second"; exit 0' INT
while :; do :; done
FAKE
chmod +x builds/fuzz/bin/picafuzz
export SAID=$PWD/said
trials() {
  "$tree/bench/bugs/trials" --builds "$PWD/builds" --file trials.tsv --engine libfuzzer --cap 1 "$@" fog-difference-unsigned list-prefetched
}
trials --missing --trials 2 | diff - <(printf '%s libfuzzer main %d\n' fog-difference-unsigned 1 list-prefetched 1 \
  fog-difference-unsigned 2 list-prefetched 2) || fail "the order is not trial by trial"
trials --trials 1 >/dev/null
cut -f 3-7,9 trials.tsv | diff - <(printf '# picafuzz trials 1\nlibfuzzer\tmain\tfog-difference-unsigned\t1\t1\t700\n'
  printf 'libfuzzer\tmain\tlist-prefetched\t1\t1\t70\n') || fail "not what was run"
grep -qE $'list-prefetched\t1\t1\t1\\.[0-9]\\+\t' trials.tsv || fail "what was not found is not censored"
[[ $(trials --missing --trials 1 | wc -l) == 0 ]] || fail "what is done is done again"
[[ $(trials --missing --trials 2 --cap 9 | wc -l) == 3 ]] || fail "a larger cap asks for what was censored, and no more"
UNSOUND=1 trials --trials 2 >output 2>&1 && fail "a case that the sound backends show is no error"
grep -q 'the sound backends differ' output || fail "that is not said"

# Killed in the middle of a trial: the file is whole, the trial is done again.
cp trials.tsv before.tsv
"$tree/bench/bugs/trials" --builds builds --file trials.tsv --engine libfuzzer --cap 100 --trials 3 list-prefetched \
  >/dev/null 2>&1 &
sleep 1
kill -9 $!
wait $! 2>/dev/null || true
sleep 1
! pkill -9 -f "$PWD/builds/fuzz/bin/picafuzz" || fail "a campaign outlives the script"
cmp -s trials.tsv before.tsv || fail "a killed trial counts"

# Refusals name the file and the line.
refuse() { # LINE MESSAGE
  { cat before.tsv; printf "$1"; } >trials.tsv
  code=0
  trials --missing 2>message >/dev/null || code=$?
  [[ $code == 3 ]] && grep -qF -- "$2" message || fail "for '$1': exit code $code, $(cat message)"
}
next=$(($(wc -l <before.tsv) + 1))
refuse 'a\tb' "trials.tsv:$next: the last line is not finished"
refuse 'a\tb\n' "trials.tsv:$next: not nine words"
refuse 'a\tb\tafl\tmain\tx\t1\t9\tsoon\t1\n' "trials.tsv:$next: not nine words, or a number is none"

# Remission of leukaemia, weeks (Freireich and others 1963): shares as the textbooks have them, the median 23.
number=0
{
  echo '# picafuzz trials 1'
  for weeks in 6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+; do
    printf 'c\td\tafl\tmain\tfog-difference-unsigned\t%d\t600\t%s\t1\n' $((++number)) "$weeks"
  done
} >known.tsv
"$tree/bench/bugs/survival" --file known.tsv --estimate --markdown -o page.html >output
for wanted in '6.0000 0.8571 0.6197 0.9516' '13.0000 0.6902 0.4316 0.8491' '23.0000 0.4482 0.1881 0.6801' 'median 23.0 13.0 -' \
  '| main | afl | 1 public | 9 of 21 | 23.0 | 13.0 to - |'; do
  grep -qxF -- "$wanted" output || fail "the estimate lacks '$wanted'"
done
grep -q '<polyline class="curve"' page.html || fail "the page has no curve"
echo '# picafuzz trials 1' >known.tsv
if "$tree/bench/bugs/survival" --file known.tsv -o page.html 2>message; then fail "no trials are no error"; fi
