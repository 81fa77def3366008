#!/usr/bin/env bash
# bench/bugs/trials goes on where it was, counts only what the sound backends do not show, and censors; bench/bugs/survival
# estimates as the literature does. Usage: check_trials.sh DIRECTORY
set -euo pipefail
tree=$(cd "$(dirname "$0")/../.." && pwd)
rm -rf "$1"
mkdir -p "$1"/builds/{fuzz,afl,release}/bin
cd "$1"
fail() { echo "check_trials: $1" >&2; exit 1; }

# Stands in for picafuzz: one bug is found at once, another never, while what works has a session of its own and no parent;
# a third is found three times, and what was found first cannot be shown again.
cat >builds/fuzz/bin/picafuzz <<'FAKE'
#!/bin/bash
[[ $1 == --version ]] && { printf 'picafuzz 0\ncommit %s\n' "$BUILT"; exit; }
echo "$*" >>"$SAID"
while (($#)); do
  case $1 in
    --findings) findings=$2 ;;
    -b) backends=$2 ;;
    --seed) seed=$2 ;;
  esac
  shift
done
case $backends in
  *fog-difference-unsigned* | *threads-item-taken-twice*)
    mkdir -p "$findings"
    timeout 0.2 bash -c 'while :; do :; done'
    echo "$seed" >"$findings/input-1.pcb"
    echo "5 s, 700 executions, 140 a second"
    exit 1 ;;
esac
trap 'echo "5 s, 70 executions, 14 a second"; exit 0' INT
(setsid bash -c 'while :; do :; done' &)
while :; do sleep 0.1; done
FAKE
# Stands in for the target that shows a case again: SHOWS says of what backends it does.
cat >builds/fuzz/bin/fuzz_pair <<'FAKE'
#!/bin/bash
echo "fuzz_pair ${PICAFUZZ_BACKENDS##*/} ${PICAFUZZ_THREADS-} $1" >>"$SAID"
case $PICAFUZZ_BACKENDS,${FAULT-} in
  reference,fast,sound | *item-taken-twice*,forgotten) ;;
  reference,fast,slow) exit 70 ;;
  *,slow-both) exit 70 ;;
  *,trouble) exit 1 ;;
  reference,fast,*) exit 0 ;;
  *,unstable) printf 'picafuzz: the backends differ\nunstable: x\n' >&2; exit 77 ;;
  *item-taken-twice*) [[ $(grep -c fuzz_pair.threads-item "$SAID") -lt 3 ]] && exit 0 ;;
esac
printf 'picafuzz: the backends differ\nmemory\n' >&2
exit 77
FAKE
chmod +x builds/fuzz/bin/*
export SAID=$PWD/said TMPDIR=$PWD
# What the builds are of: a checkout with a commit of the product and one of a document.
checkout() { git -C checkout -c user.name=a -c user.email=a@b.c -c commit.gpgsign=false "$@"; }
mkdir -p checkout/{fast,bench/bugs}
cp "$tree"/bench/bugs/*.patch checkout/bench/bugs
sed -i 's/^# threads: .*/# threads: 3/' checkout/bench/bugs/threads-job-not-awaited.patch # the heads are those of the builds
git init -q checkout
echo one >checkout/fast/a.c
checkout add . && checkout commit -qm one
commit=$(checkout log -1 --abbrev=7 --format=%h)
echo two >checkout/fast/README.md
checkout add . && checkout commit -qm two
BUILT=$(checkout log -1 --format=%H)
export BUILT
touch builds/*/bin/*
echo "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD/checkout" >builds/fuzz/CMakeCache.txt
trials() {
  "$tree/bench/bugs/trials" --builds "$PWD/builds" --file trials.tsv --engine libfuzzer --cap 1 "$@" fog-difference-unsigned list-prefetched
}
trials --missing --trials 2 | diff - <(printf '%s libfuzzer main %d\n' fog-difference-unsigned 1 list-prefetched 1 \
  fog-difference-unsigned 2 list-prefetched 2) || fail "the order is not trial by trial"
timeout 100 "$tree/bench/bugs/trials" --help >/dev/null
trials --trials 1 >/dev/null
cut -f 4-8,10 trials.tsv | diff - <(printf '# picafuzz trials 2\nlibfuzzer\tmain\tfog-difference-unsigned\t1\t1\t700\n'
  printf 'libfuzzer\tmain\tlist-prefetched\t1\t1\t70\n') || fail "not what was run"
grep -qE $'list-prefetched\t1\t1\t1\\.[0-9]+\\+\t' trials.tsv || fail "what was not found is not censored"
[[ $(trials --missing --trials 1 | wc -l) == 0 ]] || fail "what is done is done again"
cut -f 1 trials.tsv | sed 1d | sort -u | diff - <(echo "$commit") || fail "a commit of documents is one of the product"
[[ $(trials --missing --trials 2 --cap 9 | wc -l) == 3 ]] || fail "a larger cap asks for what was censored, and no more"
[[ $(grep -o -- '--seed [0-9]*' said | sort -u | wc -l) == 2 ]] || fail "two bugs have one seed"

# Lines of another commit or machine are of something else; programs must be those of the checkout.
stranger() { # WORD OTHER
  cp trials.tsv before.tsv
  sed -i "s/$1/$2/" trials.tsv
  [[ $(trials --missing --trials 1 2>message | wc -l) == 2 ]] && grep -q "2 lines are of .*$2.* do not count" message ||
    fail "trials of $2 count: $(cat message)"
  [[ $(trials --missing --trials 1 --any | wc -l) == 0 ]] || fail "--any does not count trials of $2"
  mv before.tsv trials.tsv
}
stranger "^$commit" aaaaaaa
stranger "$(sed 1d trials.tsv | cut -f 3 | sort -u)" Abacus
doubt() { # MESSAGE
  code=0
  timeout 100 "$tree/bench/bugs/trials" --builds builds --file doubt.tsv --engine libfuzzer --cap 1 --trials 1 \
    fog-difference-unsigned >output 2>&1 || code=$?
  [[ $code == 4 && ! -e doubt.tsv ]] && grep -qF -- "$1" output || fail "no word of '$1', exit code $code: $(cat output)"
  for _ in 1 2; do # the second has nothing left to do
    timeout 100 "$tree/bench/bugs/trials" --builds builds --file doubt.tsv --engine libfuzzer --cap 1 --trials 1 --anyway \
      fog-difference-unsigned >output 2>&1 || fail "--anyway: $(cat output)"
  done
  sed 1d doubt.tsv | cut -f 1 | diff - <(checkout log -1 --abbrev=7 --format=%h+ -- fast/a.c) || fail "that is not marked"
  rm doubt.tsv
}
echo three >checkout/fast/a.c
doubt "not committed: fast/a.c"
checkout commit -qam three
doubt "is built of $BUILT, not of $(checkout log -1 --abbrev=7 --format=%h): build again"
checkout reset -q --hard "$BUILT"
mkdir -p builds/release/bugs
touch -d 2020-01-01 builds/release/bugs/list-prefetched.so
mkdir checkout/reference
echo >checkout/reference/list.c
checkout add . && checkout commit -qm four
BUILT=$(checkout log -1 --format=%H)
trials --trials 1 >output 2>&1
grep -q "bugs/list-prefetched.so is older than .*/checkout/reference/list.c" output || fail "an old library is not named: $(cat output)"
rm -r builds/release/bugs
checkout reset -q --hard HEAD~
BUILT=$(checkout log -1 --format=%H)
sed -i '4,$d' trials.tsv

# What counts: what shows the bug again, and it alone. Exit codes that say nothing of the case are no differences.
alone() { # FAULT BUG [TRIALS]
  : >said
  rm -f alone.tsv
  FAULT=$1 timeout 100 "$tree/bench/bugs/trials" --builds builds --file alone.tsv --engine libfuzzer --cap 1 --trials 1 \
    "$2" >output 2>&1
}
alone sound fog-difference-unsigned && fail "a case that the sound backends show is no error"
grep -q 'the sound backends differ' output || fail "that is not said"
code=0
alone trouble fog-difference-unsigned || code=$?
[[ $code == 4 && ! -e alone.tsv ]] || fail "a case that could not be run counts, exit code $code"
alone slow fog-difference-unsigned || fail "a slow host is a difference of the sound backends: $(cat output)"
grep -qE $'\t[0-9.]+\t700$' alone.tsv || fail "what only the planted bug shows does not count"
alone slow-both fog-difference-unsigned || fail "$(cat output)"
grep -qE $'\t1\\.[0-9]+\\+\t[0-9]+$' alone.tsv || fail "a slow host shows a planted bug that does not hang"
alone unstable fog-difference-unsigned || fail "$(cat output)"
grep -qE $'\t1\\.[0-9]+\\+\t[0-9]+$' alone.tsv || fail "a finding that was gone in a fresh process counts"
alone "" threads-item-taken-twice || fail "$(cat output)"
[[ $(grep -c -- '--threads 2' said) == 3 && $(grep -o -- '--seed [0-9]*' said | sort -u | wc -l) == 3 ]] ||
  fail "not three campaigns with threads and a seed each: $(tail -n 5 said)"
grep -qx 'fuzz_pair threads-item-taken-twice.so 2 -runs=10000' said || fail "one run may not show what needs threads: $(tail -n 5 said)"
grep -qE $'\t2100$' alone.tsv || fail "the executions of three campaigns are not added"

alone "" threads-job-not-awaited || fail "$(cat output)"
grep -q -- '--threads 3' said || fail "heads are not those of the checkout that the builds are of: $(cat said)"

# Seconds are those of all processes, whatever became of their parents, and run to the moment that is asked for.
PYTHONDONTWRITEBYTECODE=1 python3 - "$tree" <<'CHECK' || fail "processor time is not counted"
import importlib.machinery, importlib.util, subprocess, sys, time
loader = importlib.machinery.SourceFileLoader("trials", sys.argv[1] + "/bench/bugs/trials")
trials = importlib.util.module_from_spec(importlib.util.spec_from_loader("trials", loader))
loader.exec_module(trials)
trials.adopt_orphans()
clock = trials.Clock(10.0)
burn = "python3 -c 'import time\nwhile time.process_time() < %g: pass'"
orphan, session, child, waited = (burn % seconds for seconds in (0.2, 0.4, 0.3, 0.5))
subprocess.Popen(["bash", "-c", f'({orphan} &); setsid sh -c "{session}; sleep 60" & {child} & {waited}; sleep 60'],
                 start_new_session=True)
begin = time.time()
while clock.now() < 11.35 and time.time() < begin + 60:
    time.sleep(0.05)
time.sleep(1)
assert 11.35 <= clock.now() < 11.7, clock.now()
trials.end_all()
assert trials.descendants(trials.os.getpid()) == [] and clock.now() < 11.8, clock.now()
clock.looks = [(100.0, 1.0), (102.0, 3.0)]
assert [clock.at(moment) for moment in (99.0, 100.5, 103.0)] == [1.0, 1.5, 3.0]
CHECK

# Two that have opened an empty file before either wrote: one head, two lines.
PYTHONDONTWRITEBYTECODE=1 python3 - "$tree" <<'CHECK' || fail "two writers of a new file spoil it"
import importlib.machinery, importlib.util, sys
loader = importlib.machinery.SourceFileLoader("trials", sys.argv[1] + "/bench/bugs/trials")
trials = importlib.util.module_from_spec(importlib.util.spec_from_loader("trials", loader))
loader.exec_module(trials)
row = "c d m afl main fog-difference-unsigned %d 1 0.1 1"
others = [(row % 2).split()]
def while_another_writes(*_):
    if others:
        trials.append("two.tsv", others.pop())
trials.fcntl.flock = while_another_writes
trials.append("two.tsv", (row % 1).split())
assert [line["trial"] for line in trials.read_trials("two.tsv")] == ["2", "1"], open("two.tsv").read()
CHECK

# Killed in the middle of a trial: the file is whole, the trial is done again.
cp trials.tsv before.tsv
"$tree/bench/bugs/trials" --builds builds --file trials.tsv --engine libfuzzer --cap 100 --trials 3 list-prefetched \
  >/dev/null 2>&1 &
sleep 1
kill -9 $!
wait $! 2>/dev/null || true
for _ in $(seq 100); do
  pgrep -f "$PWD/builds/fuzz/bin/picafuzz" >/dev/null || break
  sleep 0.1
done
! pgrep -f "$PWD/builds/fuzz/bin/picafuzz" || fail "a campaign outlives the script"
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
refuse 'a\tb\n' "trials.tsv:$next: not ten words"
refuse 'a\tb\tc\tafl\tmain\tx\t1\t9\tsoon\t1\n' "trials.tsv:$next: not ten words, or a number is none"
echo '# picafuzz trials 1' >before.tsv
refuse '' "trials.tsv:1: not version 2"

# Remission of leukaemia, weeks (Freireich and others 1963): shares as the textbooks have them, the median 23.
number=0
{
  echo '# picafuzz trials 2'
  for weeks in 6 6 6 6+ 7 9+ 10 10+ 11+ 13 16 17+ 19+ 20+ 22 23 25+ 32+ 32+ 34+ 35+; do
    printf 'c\td\tm\tafl\tmain\tfog-difference-unsigned\t%d\t600\t%s\t1\n' $((++number)) "$weeks"
  done
} >known.tsv
"$tree/bench/bugs/survival" --file known.tsv --estimate --markdown -o page.html >output
for wanted in '6.0000 0.8571 0.6197 0.9516' '13.0000 0.6902 0.4316 0.8491' '23.0000 0.4482 0.1881 0.6801' 'median 23.0 13.0 -' \
  '| 1 public | AFL++ | 21 | 9 of 21 | 0 | 1 | 0 | 23.0 | 13.0 to - | 23.0 | 35.0+ |' \
  'Open, public, afl: fog-difference-unsigned (9 of 21).'; do
  grep -qxF -- "$wanted" output || fail "the estimate lacks '$wanted'"
done
grep -q '<polyline class="curve"' page.html || fail "the page has no curve"

# Where the last one is found, there is no variance: no interval ends for that. With both engines the earlier one counts.
# The median of an even number is the mean of the middle two, if both were found.
{
  echo '# picafuzz trials 2'
  printf 'c\td\tm\t%s\tmain\tlist-prefetched\t%d\t600\t%s\t1\n' afl 1 8 afl 2 600+ libfuzzer 1 9 libfuzzer 2 7
} >known.tsv
"$tree/bench/bugs/survival" --file known.tsv --markdown >output
for wanted in '| 1 own | AFL++ | 2 | 1 of 2 | 0 | 0 | 0 | - | 8.0 to - | - | 600+ |' \
  '| 1 own | libFuzzer | 2 | 2 of 2 | 1 | 0 | 0 | 8.0 | 7.0 to - | 8.0 | 9.0 |' \
  '| 1 own | either | 2 | 2 of 2 | 1 | 0 | 0 | 7.5 | 7.0 to - | 7.5 | 8.0 |' \
  'Missed, own, afl: list-prefetched (1 of 2).'; do
  grep -qxF -- "$wanted" output || fail "the numbers lack '$wanted': $(cat output)"
done

# The interval of several bugs is of the bugs: of twelve, each found always at one moment, seven are quick, and other bugs of
# their kind may well be slow ones. Trials taken one by one would say 1.0 to 1.0.
lines() { # BUG ENGINE CONFIGURATION COUNT CAP SECONDS
  for ((i = 1; i <= $4; i++)); do printf 'c\td\tm\t%s\t%s\t%s\t%d\t%d\t%s\t9\n' "$2" "$3" "$1" "$i" "$5" "$6"; done
}
{
  echo '# picafuzz trials 2'
  for bug in {a..g}; do lines "$bug" afl main 20 600 1; done
  for bug in {h..l}; do lines "$bug" afl main 20 600 100; done
} >known.tsv
"$tree/bench/bugs/survival" --file known.tsv --markdown >output
grep -qxF -- '| 12 public | AFL++ | 20 | 240 of 240 | 12 | 0 | 0 | 1.0 | 1.0 to 100 | 1.0 | 100 |' output ||
  fail "trials of one bug are taken as independent: $(cat output)"
! grep -q Mixed output || fail "one commit is mixed"

# Bugs with fewer trials, and what ended early: it may still be found. Configurations against main, bug by bug.
{
  echo '# picafuzz trials 2'
  lines list-prefetched libfuzzer main 20 600 4
  lines copy-overlap-moved libfuzzer main 4 600 8
  lines list-prefetched libfuzzer fresh-only 2 120 2
  lines copy-overlap-moved libfuzzer fresh-only 2 120 8
  lines list-prefetched libfuzzer bytes 2 120 120.1+
  lines copy-overlap-moved libfuzzer bytes 2 120 16
  lines raster-queue-full libfuzzer main 20 600 1 | sed '2,8s/600\t1\t/120\t120.3+\t/'
} >known.tsv
"$tree/bench/bugs/survival" --file known.tsv --markdown >output
for wanted in '| 3 own | libFuzzer | 4 to 20 | 37 of 44 | 2 | 1 | 0 | 4.0 | 1.0 to 8.0 | 4.0 | 120+ |' \
  '| 2 own, with 20 trials | libFuzzer | 20 | 33 of 40 | 1 | 1 | 0 | 4.0 | 1.0 to 4.0 | 2.5 | 120+ |' \
  'Open, own, libfuzzer: raster-queue-full (13 of 20).' \
  '| fresh-only | libFuzzer | 2 | 4 of 4 | 5.00 | 5 | 10 | 0.71 (35 %) |' '| bytes | libFuzzer | 2 | 2 of 4 | - | - | - | - |' \
  '| `copy-overlap-moved` | bytes | libFuzzer | 2 of 2 | 16.0 | 8.0 | 2.0 | 9 | 9 | 1.0 |' \
  'Trials of c on m: 52 trials of d and later. Processor seconds at most: 120 (bytes, fresh-only); 120 or 600 (main).'; do
  grep -qxF -- "$wanted" output || fail "the tables lack '$wanted': $(cat output)"
done
"$tree/bench/bugs/survival" --file known.tsv --bugs >output
grep -qxF '| `copy-overlap-moved` | 4 of 4 | 8.0 | - to - |' output ||
  fail "no row for each bug"

# Trials of two commits or machines are told about wherever they are shown.
sed '3s/^c/other/; 4s/\tm\t/\tabacus\t/' known.tsv >mixed.tsv
"$tree/bench/bugs/survival" --file mixed.tsv --markdown -o page.html >output 2>message
for place in output message page.html; do
  grep -q 'Mixed: these are trials of 3 commits or machines' "$place" || fail "$place does not say that trials are mixed"
  grep -q 'other on m: 1 trial of' "$place" || fail "$place does not name the commits"
done
echo '# picafuzz trials 2' >known.tsv
if "$tree/bench/bugs/survival" --file known.tsv -o page.html 2>message; then fail "no trials are no error"; fi
