#!/bin/sh
# Stands in for the targets of a lasting campaign; what it is called, and FAKE, say what it does:
#   FAKE=trouble   fuzz_invariant cannot run
#   FAKE=finding   fuzz_text fails on an input that is no case, each time it is started
#   FAKE=report    fuzz_pair fails on a case as AddressSanitizer says it, once
#   FAKE=differ    fuzz_pair fails on a case, once
#   FAKE=mutation  fuzz_pair fails while it mutates, so its engine has no input to write
#   FAKE=grow      fuzz_pair finds two inputs a second, of 1.8 MB each; the first fuzz_text that is stopped leaves a cut file
#   FAKE=fails     a merge fails on inputs that begin with f
#   FAKE=killed    a merge's process is killed at inputs that begin with f
#   FAKE=notes     a merge's notes lack the first line
#   FAKE=between   fuzz_pair has removed an input when it is stopped, and not yet written the smaller one
#   FAKE=cut       fuzz_pair removes an input when it is stopped, and is interrupted before it writes the smaller one
#   FAKE=reads     fuzz_pair reads its corpus when it is stopped
#   FAKE=late      while the corpus is merged, somebody copies an old input there
#   FAKE=half      a merge reads inputs that begin with f while they are being written
#   FAKE=joined    what a merge notes of them is cut, and what follows is appended to it
#   FAKE=lost      a merge says that it keeps one input more than there is
#   FAKE=short     what it keeps is cut
#   FAKE=replaced  fuzz_pair replaces the smallest input while it is merged
#   FAKE=owner     the same, once, when it is asked to end; by y
#   FAKE=vanishes  the largest input leaves the corpus while it is merged; a merge that misses one fails, as libFuzzer's
#   FAKE=slow      fuzz_pair takes six seconds to end
#   FAKE=sleeps    a merge's process does not end
#   FAKE=logs      a plug-in of fuzz_pair writes of errors
#   FAKE=recovers  the same, as a sanitizer does that goes on
#   FAKE=device    fuzz_pair cannot run, as a plug-in says
#   FAKE=says      fuzz_pair says SAYS and ends
#   FAKE=edges     fuzz_invariant has more edges than the others
#   FAKE=still     fuzz_pair, which must be the first, counts one execution and then does nothing, whatever it is told
# With HASTE, those that run out their time let it pass at once (count_fsync.c).
# Any writes a line with its name and what tells it from others into TURNS, and a merge its limits. A merge keeps the
# smallest input, and reads no more than -max_len of each.
. "${0%/*}/target_options.sh"
pass() { head -c "$1" /dev/zero >>"$PICAFUZZ_CLOCK"; }
name=${0##*/}
for argument in "$@"; do
  case $argument in
    -set_cover_merge=1)
      from=$corpus
      into=${prefix%/merge-}
      common=${into%-merged}
      files=$(ls -Sr "$from")
      notes=$({ printf '%s\n' "$files" | grep -c .; echo 0; printf "$from/%s\n" $files; })
      number=0
      [ "${FAKE-}" != sleeps ] || sh -c 'echo $$ >"$TURNS.sub"; sleep 100; :'
      [ "${FAKE-}" != vanishes ] || rm "$common/${files##*
}"
      for file in $files; do
        [ -e "$from/$file" ] || exit 1
        head -c "$most" "$from/$file" >"$into/.cut"
        hash=$(sha1sum <"$into/.cut" | cut -d' ' -f1)
        size=$(wc -c <"$into/.cut")
        [ "${FAKE-}-$(head -c 1 "$into/.cut")" != half-f ] || size=$((size / 2))
        notes="$notes
STARTED $number $size"
        case ${FAKE-}-$(head -c 1 "$into/.cut") in
          fails-f) mv "$into/.cut" "${prefix}crash-$hash" ;;
          killed-f) ;;
          joined-f)
            notes="$notes
FT $number 8 1STARTED $number $size" ;;
          *)
            notes="$notes
FT $number 8
COV $number 3"
            [ -n "${kept-}" ] || { mv "$into/.cut" "$into/$hash" && kept=$hash; } ;;
        esac
        number=$((number + 1))
      done
      if [ "${FAKE-}" = late ]; then
        late=$common/$(printf late | sha1sum | cut -d' ' -f1)
        printf late >"$late" && touch -d '2 days ago' "$late"
      fi
      case ${FAKE-} in
        short) printf cut >"$into/$kept" ;;
        replaced) rm "$common/$kept" ;;
        lost) lost=1 ;;
      esac
      echo "MERGE-OUTER: $((${kept:+1 +} ${lost-0})) new files with 3 new features added; 2 new coverage edges" >&2
      for argument in "$@"; do
        case $argument in
          -rss_limit_mb=* | -timeout=*) limits="${limits-}$argument " ;;
          -merge_control_file="$into"/*)
            [ "${FAKE-}" != notes ] || notes=${notes#*[0-9]}
            printf '%s\n' "$notes" >"${argument#*=}" && echo noted >>"$TURNS" ;;
        esac
      done
      echo merged >>"$TURNS"
      echo "limits ${limits-}${PICAFUZZ_PEEL:+with known causes}" >>"$TURNS"
      exit 0 ;;
    -max_total_time=*) seconds=${argument#*=} ;;
  esac
done
echo "$name ${PICAFUZZ_THREADS-}${PICAFUZZ_CAPACITY:+c$PICAFUZZ_CAPACITY} ${PICAFUZZ_INSTRUCTION_SETS-} ${PICAFUZZ_FLOAT24-} $seconds" >>"$TURNS"
case ${FAKE-}-$name in
  trouble-fuzz_invariant)
    echo "picafuzz: out of memory" >&2
    exit 1 ;;
  finding-fuzz_text)
    echo '#1 INITED cov: 5 ft: 6 corp: 1/8b' >&2
    printf 'no case' >"${prefix}crash-288e5e90641b84376aa470c9826cb57eee0a4b5d"
    printf 'picafuzz: failure 1\tcrash\treader\t\tthe reader crashed\n' >&2
    exit 77 ;;
  mutation-fuzz_pair)
    echo '#1 INITED cov: 5 ft: 6 corp: 1/8b' >&2
    echo '==7==WARNING: MemorySanitizer: use-of-uninitialized-value' >&2
    : >"${prefix}crash-da39a3ee5e6b4b0d3255bfef95601890afd80709"
    exit 77 ;;
  device-fuzz_pair)
    echo 'GPU: ERROR: no device' >&2
    exit 1 ;;
  report-fuzz_pair | differ-fuzz_pair)
    if [ ! -e "$TURNS.found" ]; then
      echo '#1 INITED cov: 5 ft: 6 corp: 1/8b' >&2
      : >"$TURNS.found"
      cp "$SEED" "${prefix}crash-0123"
      if [ "$FAKE" = report ]; then
        printf 'picafuzz: failure 1\taddress\theap-buffer-overflow\tf a.c:1:2\theap-buffer-overflow in f\n' >&2
      else
        printf 'picafuzz: failure 1\tdiffer\tmemory\t\tmemory: 1 byte(s) differ\n' >&2
      fi
      exit 77
    fi ;;
esac
echo '#1 INITED cov: 5 ft: 6 corp: 1/8b' >&2
case ${FAKE-}-$name in
  logs-fuzz_pair) echo 'GPU: ERROR: no such register' >&2 ;;
  recovers-fuzz_pair) printf 'gpu.c:1:2: runtime error: shift exponent\n#2\tNEW cov: 5 ft: 6 corp: 1/8b\n' >&2 ;;
  says-fuzz_pair) printf '%s\n' "$SAYS" >&2 && exit 1 ;;
esac
trap 'exit 0' USR1
trap 'exit 72' INT TERM
if [ "${FAKE-}-$name" = grow-fuzz_pair ]; then
  while sleep 0.5; do
    head -c 1800000 /dev/urandom >"$TURNS.new" && mv "$TURNS.new" "$corpus/$(sha1sum <"$TURNS.new" | cut -d' ' -f1)"
  done &
fi
if [ "${FAKE-}-$name" = grow-fuzz_text ] && [ ! -e "$TURNS.cut" ]; then
  trap 'printf cut >"$corpus/$(printf 0%.0s $(seq 40))"; : >"$TURNS.cut"; exit 0' USR1 INT TERM
fi
case ${FAKE-}-$name in
  # what ends by USR1 ends so however slow the machine is: SIGINT comes a second later
  between-fuzz_pair) trap '' INT && trap 'printf x >"$corpus/11f6ad8ec52a2984abaafd7c3b516503785c2072"; exit 0' USR1 ;;
  owner-fuzz_pair)
    trap '[ -e "$TURNS.owner" ] || { : >"$TURNS.owner"; rm "$corpus/11f6ad8ec52a2984abaafd7c3b516503785c2072"
      printf y >"$corpus/95cb0bfd2977c761298d9624e4b4d4c72a39974a"; }; exit 0' USR1 ;;
  cut-fuzz_pair)
    printf x >"$corpus/11f6ad8ec52a2984abaafd7c3b516503785c2072"
    until [ -e "${corpus%/}-kept/11f6ad8ec52a2984abaafd7c3b516503785c2072" ]; do
      pass 1
      sleep 0.05
    done
    trap 'rm -f "$corpus/11f6ad8ec52a2984abaafd7c3b516503785c2072"' USR1
    trap 'exit 72' INT
    : >"$TURNS.ready"
    while sleep 0.05; do :; done ;;
  slow-fuzz_pair) trap ': >"$TURNS.asked"; sleep 6; exit 0' USR1 ;;
  logs-fuzz_pair | recovers-fuzz_pair) trap '' INT && trap 'echo asked >>"$TURNS"; exit 0' USR1 ;;
  still-fuzz_pair)
    printf '\001' | dd of="$PICAFUZZ_STATISTICS" conv=notrunc 2>/dev/null
    trap '' USR1 INT TERM
    sleep 100 ;;
  reads-fuzz_pair) trap '' USR1 && trap 'echo interrupted >>"$TURNS"; exit 0' INT ;;
esac
: >"$TURNS.ready"
if [ -n "${HASTE-}" ]; then
  pass "${seconds:-1}"
else
  sleep "${seconds:-1}" &
  wait
fi
edges=5
[ "${FAKE-}-${0##*/}" != edges-fuzz_invariant ] || edges=9
echo "#40 DONE cov: $edges ft: 6 corp: 7/8b lim: 9 exec/s: 1 rss: 1Mb" >&2
