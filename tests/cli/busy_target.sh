#!/bin/sh
# Stands in for a fuzz target that finds something new each time it is started: another input, with a name and a message
# of its own (letters only: numbers do not tell findings apart). Every find is noted in FOUND_LOG.
. "${0%/*}/target_options.sh"
[ "$#" -gt 1 ] || exit 0 # it is given a file: nothing fails there
sleep 0.05
name=$(head -c 8 /dev/urandom | od -An -tx1 | tr -d ' \n' | tr '0-9' 'g-p')
[ -f "$SEED" ] || exit 1
{ echo "$name"; cat "$SEED"; } >"$corpus/../$name.part" && mv "$corpus/../$name.part" "${prefix}crash-$name"
echo "$name" >> "$FOUND_LOG"
echo "picafuzz: $name" >&2
exit 77
