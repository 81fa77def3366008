#!/bin/sh
# bench/bugs/schedule with counts that are made up: what shows bugs gets time, what is too easy or never seen is left out;
# what the product does now is what its engines do.
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
expect '^changes-N was not counted: ' # and so what is done now is worth too little

# In libFuzzer's rows of five (0.4 + 0.4^2 + ... + 0.4^5) / 5 = 13.2 % are children of the corpus, the others are new or come
# from a new one; of the calls that make nothing anew a fifth crosses. Three calls lie halfway between two and four.
printf '{"parents":"aged","seed":1,"libraries":[{"path":"x/one.so"},{"path":"x/other.so"}],"ways":[%s' \
    "$(way field 1 1)" >"$place/two.json"
for name in reuse cross-area cross-fresh changes-1 changes-2 changes-4 changes-8 fresh fresh-changed fresh-raw; do
    case $name in
    changes-*) printf ',%s' "$(way "$name" 5 3)" ;;
    reuse) printf ',%s' "$(way "$name" 90 90)" ;;
    fresh*) printf ',%s' "$(way "$name" 9 9)" ;;
    *) printf ',%s' "$(way "$name" 1 1)" ;;
    esac
done >>"$place/two.json"
printf '],"areas":[]}' >>"$place/two.json"
now() { # OPTION... of schedule: the shares of cases, a line each
    "$script" --most 1 "$@" "$place/two.json" >"$place/said"
    sed -n 's/^cases now, [a-z]*: //p' "$place/said" | tr ',' '\n' | sed 's/^ //; s/ %$//' | sort
}
same() { # WHAT: standard input is what was to be
    diff - "$place/now" || { echo "schedule: what is done now is not that, $1"; exit 1; }
}
now >"$place/now"
same "libFuzzer" <<'END'
changes-1 7.6
changes-2 3.1
changes-4 0.8
changes-8 0.0
cross-area 1.7
cross-fresh 4.1
fresh 60.0
fresh-changed 22.7
END
now --engine afl >"$place/now"
same "AFL++" <<'END'
changes-1 16.0
cross-area 4.0
fresh 80.0
END
# A call of 3.52 changes is 1.76 of two each.
now --engine afl --calls-of 2 >"$place/now"
same "when a call made two changes" <<'END'
changes-1 3.8
changes-2 12.2
cross-area 4.0
fresh 80.0
END
expect '^reuse +1000 +[0-9]+ +[0-9.() ]+[1-9][0-9.]+ +[0-9.]+ *$' # may be chosen, although nobody does it alone now
