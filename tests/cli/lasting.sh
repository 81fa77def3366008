# shellcheck shell=sh
# To be sourced: what tests of campaigns say to one that runs beside them, as process $p. None waits until time has
# passed: it waits until something has happened, or the campaign has ended, and time passes when it says so.

# await CONDITION: a line of shell.
await() {
  until eval "$1" >/dev/null 2>&1; do
    grep -qs '^State:.[^Z]' "/proc/$p/status" || break
    sleep 0.02
  done
}

# pass SECONDS: as the campaign's clock shows it (count_fsync.c).
pass() { head -c "$1" /dev/zero >>"$PICAFUZZ_CLOCK"; }

# Numbers of a process that reduces what was found, and of one of its own that a plug-in has stopped
# (PICAFUZZ_FAULT=stop).
stopped() {
  cat /proc/[0-9]*/stat | while read -r number name state parent _; do
    [ "$name $state" != '(picafuzz) T' ] || [ "$(cut -d' ' -f4 "/proc/$parent/stat")" != "$p" ] || echo "$parent $number"
  done 2>/dev/null
} 2>/dev/null

# await_reduction: until a plug-in has stopped it. Sets $reducer.
await_reduction() {
  await '[ -n "$(stopped)" ]'
  reducer=$(stopped | cut -d' ' -f1)
}

# end_reduction: lets it go on to its end.
end_reduction() {
  while grep -qs '^State:.[^Z]' "/proc/$reducer/status"; do
    kill -CONT $(stopped | cut -d' ' -f2) 2>/dev/null
    sleep 0.02
  done
}
