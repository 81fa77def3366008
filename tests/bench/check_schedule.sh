#!/bin/sh
# bench/bugs/schedule with counts that are made up: what shows bugs gets time, what is too easy or never seen is left out.
set -eu
script=$(dirname "$0")/../../bench/bugs/schedule
place=$1
rm -rf "$place"
mkdir -p "$place"
way() { # NAME SHOWN-OF-ONE SHOWN-OF-OTHER
    printf '{"name":"%s","tried":1000,"made":1000,"make_seconds":0.1,"sound_seconds":0.1,"library_seconds":0.1,' "$1"
    printf '"shown":{"one":%d,"other":%d,"easy":400}}' "$2" "$3"
}
printf '{"parents":"aged","seed":1,"libraries":[{"path":"x/one.so"},{"path":"x/other.so"},{"path":"x/easy.so"},
{"path":"x/never.so"}],"ways":[%s,%s,%s,%s],"areas":[]}' "$(way field 1 1)" "$(way reuse 9 7)" "$(way cross-area 1 1)" \
    "$(way fresh 9 9)" >"$place/one.json"
"$script" --overhead 0 --keep 1 "$place/one.json" >"$place/said"
expect() {
    grep -Eq "$1" "$place/said" || { echo "schedule does not say: $1"; exit 1; }
}
expect '^4000 cases; 2 bugs count; 1 show in more than 1 % of them; never shown: never$'
expect '^fresh alone +[1-9]\.'
expect '^field +1000 +300 +0\.' # worth less than what is done now
expect '^reuse +1000 +300 +[1-9]\.'
expect '^best of half 1 +[1-9]\.'
