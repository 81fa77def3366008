#!/usr/bin/env bash
# ci/check_order.py names each line whose comment says OPEN, and no other.
set -euo pipefail
source_dir=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat > "$work/order.c" <<'END'
static uint32_t roll(struct harness_random *random) { return harness_random_below(random, 6); }
static uint32_t of_round(struct round *round) { return roll(&round->random); }
static uint32_t size_of(const struct gen *gen) { return gen->bytes; }

static void places(struct gen *gen, struct harness_random *random, uint32_t (*next)(struct harness_random *), uint32_t *words)
{
    put(roll(random), roll(random)); /* OPEN */
    put(words, roll(random));
    const struct pair pair = { roll(random), .second = of_round(words) }; /* OPEN */
    const uint32_t a = roll(random), b = roll(random);
    words[roll(random)] |= roll(random) << 2; /* OPEN */
    words[0] = roll(random) | roll(random) << 2; /* OPEN */
    words[1] = harness_random_below(random, roll(random));
    words[2] = roll(random) != 0 && roll(random) != 0 ? roll(random) : roll(random);
    const char *const where = "http://x"; words[3] = roll(random) + gen_below(gen, 2); /* OPEN */
    const char *const which = "/*"; words[4] = next(random) - next(random); /* OPEN */
    words[5] = size_of(gen) + roll(random);
    for (uint32_t i = roll(random); i < roll(random); i += put(roll(random), roll(random))) /* OPEN */
        words[i] = (struct pair){ roll(random), 0 }.first;
    // put(roll(random), roll(random))
    return words[6] + (roll(random) != 0 ? of_round(words) : 0);
}
END
wanted=$(grep -n 'OPEN' "$work/order.c" | cut -d: -f1)
code=0
found=$("$source_dir/ci/check_order.py" "$work/order.c" 2>&1) || code=$?
[[ $code == 1 ]] || { echo "check_order: exit code $code: $found" >&2; exit 1; }
found=$(sed -n "s|^$work/order.c:\([0-9]*\): .*|\1|p" <<<"$found" | sort -nu)
[[ $found == "$wanted" ]] || { diff <(echo "$wanted") <(echo "$found") >&2; exit 1; }
