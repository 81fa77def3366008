/* Which faults are switched on: reads the environment variable CROOKED. */
#include "crooked.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    uint32_t oddity;
} oddities[] = {
    { "choices", CROOKED_CHOICES },
    { "nearest", CROOKED_NEAREST },
    { "off-by-one", CROOKED_OFF_BY_ONE },
    { "leak", CROOKED_LEAK },
    { "uninitialised", CROOKED_UNINITIALISED },
    { "crash", CROOKED_CRASH },
    { "hang", CROOKED_HANG },
    { "exit", CROOKED_EXIT },
    { "mute", CROOKED_MUTE },
    { "say", CROOKED_SAY },
    { "none", 0 },
};

/* splitmix64: the same draw on every machine. */
static uint64_t next(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

static uint32_t draw_bugs(uint64_t seed)
{
    uint32_t bugs = 0;
    for (int drawn = 0; drawn < CROOKED_DRAWN;) {
        const uint32_t bug = UINT32_C(1) << next(&seed) % CROOKED_BUGS;
        drawn += (bugs & bug) == 0;
        bugs |= bug;
    }
    return bugs;
}

/* `length` characters at `text` are this word. */
static bool is(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

static bool parse_word(const char *text, size_t length, struct crooked_switches *out)
{
    for (size_t i = 0; i < sizeof oddities / sizeof oddities[0]; i++)
        if (is(text, length, oddities[i].name)) {
            out->oddities |= oddities[i].oddity;
            return true;
        }
    for (int i = 0; i < CROOKED_BUGS; i++)
        if (is(text, length, crooked_bugs[i].name)) {
            out->bugs |= UINT32_C(1) << i;
            return true;
        }
    if (memchr(text, '=', length) != NULL)
        return crooked_parse_choice(text, length, &out->choices);
    const bool all = length > 4 && strncmp(text, "all:", 4) == 0;
    if (!all && !(length > 5 && strncmp(text, "bugs:", 5) == 0))
        return false;
    out->bugs |= draw_bugs(strtoull(text + (all ? 4 : 5), NULL, 10));
    out->oddities |= all ? (uint32_t)CROOKED_MUTE - 1 : 0;
    return true;
}

bool crooked_parse(const char *words, struct crooked_switches *out)
{
    *out = (struct crooked_switches){ 0 };
    for (const char *word = words;; word++) {
        const size_t length = strcspn(word, ",");
        if (!parse_word(word, length, out))
            return false;
        word += length;
        if (*word == '\0')
            return true;
    }
}
