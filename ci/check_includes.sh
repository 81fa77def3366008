#!/usr/bin/env bash
# Who may include whom (docs/decisions/001-two-backends.md). Each line of the table: directory, what it may include.
set -euo pipefail
cd "$(dirname "$0")/.."

declare -A may=(
  [pica]="pica"
  [reference]="pica reference"
  [fast]="pica fast"
  [oracles]="pica oracles"
  [harness]="pica oracles harness"
)
# The edges inside harness/: a room may include itself and these.
declare -A rooms=(
  [case]="" [pages]="case" [shader]="case grammar run" [grammar]="case" [run]="case" [quirks]="case"
  [coverage]="case grammar run" [peel]="case quirks run" [targets]="case shader grammar quirks run coverage peel reduce trial triage hunt console vectors"
  [console]="case run fingerprint vectors" [interface]="case run trial" [vectors]="case run fingerprint" [fingerprint]="case run" [explore]="case pages run localise" [localise]="case run" [trial]="case run localise" [reduce]="case run trial"
  [triage]="case pages quirks run trial reduce" [hunt]="case grammar shader quirks run peel trial reduce triage"
  [campaign]="case quirks run peel hunt trial reduce triage"
  [report]="case pages run localise trial reduce triage"
  [cli]="case pages shader explore fingerprint grammar quirks run coverage interface localise trial reduce triage hunt campaign report peel console vectors"
)
# The rooms that may use the judges, too.
judging=" case console shader explore fingerprint quirks run interface localise trial report vectors "
failed=0
edges=0
complain() { echo "check_includes: $1" >&2; failed=1; }

for from in "${!may[@]}"; do
  while IFS=: read -r file line include; do
    target=${include#*\"}
    target=${target%%\"*}
    edges=$((edges + 1))
    [[ $file == harness/capture/* && $target == picafuzz_capture.h ]] && continue # to be copied into other trees
    [[ -f $target ]] || { complain "$file:$line: \"$target\" is not written from the root, or does not exist"; continue; }
    to=${target%%/*}
    room=${file#*/} room=${room%%/*} # of harness/; no process for each of thousands of lines
    if [[ $file == harness/run/backends.c && ($target == reference/reference.h || $target == fast/fast.h) ]]; then
      continue
    fi
    if [[ " ${may[$from]} " != *" $to "* ]]; then
      complain "$file:$line: $from must not include $to ($target)"
    elif [[ $from == harness && $to == harness ]]; then
      [[ $target == harness/cli/options.h ]] && continue # knows nothing of the harness: every program has such a table
      other=${target#*/} other=${other%%/*}
      if [[ $room != "$other" && " ${rooms[$room]-} " != *" $other "* ]]; then
        complain "$file:$line: harness/$room must not include harness/$other"
      fi
    elif [[ $from == harness && $to == oracles && $judging != *" $room "* ]]; then
      complain "$file:$line: harness/$room must not include oracles"
    fi
  done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' --include='*.c' --include='*.h' "$from" || true)
done
# Intrinsics only in fast/simd/, threads only in fast/tiles/threads.c (and the harness).
while IFS= read -r hit; do
  case $hit in fast/simd/*.h:*) ;; *) complain "$hit: intrinsics belong into fast/simd/" ;; esac
done < <(grep -rnE '#[[:space:]]*include[[:space:]]*<(immintrin|x86intrin|emmintrin|arm_neon)\.h>' --include='*.[ch]' pica reference fast oracles harness || true)
while IFS= read -r hit; do
  case $hit in fast/tiles/threads.c:* | harness/*) ;; *) complain "$hit: threads belong into fast/tiles/threads.c" ;; esac
done < <(grep -rnE '#[[:space:]]*include[[:space:]]*<(pthread|threads|stdatomic)\.h>' --include='*.[ch]' pica reference fast oracles harness || true)
# Who judges a case asks harness/trial. What runs backends itself in harness/cli: what shows one of them, the pictures of a
# page, what `reduce` asks of a case, and what these share.
runs=" cmd_run cmd_explore cmd_backends cmd_report cmd_regress shader_values record reduce_fits common "
while IFS=: read -r file line rest; do
  name=$(basename "$file" .c)
  [[ $runs == *" $name "* ]] || complain "$file:$line: a command asks harness/trial, and runs no backend itself: $rest"
done < <(grep -rnE '\b(cli_session_open|harness_(runner_create|runner_load|compare|process_open|child_start|child_run|fingerprint_take))\(' --include='*.c' harness/cli | grep -v '^harness/cli/fingers.c' || true)
((edges > 0)) || complain "found no include at all: the check is broken"
((failed == 0)) && echo "check_includes: $edges edges"
exit $failed
