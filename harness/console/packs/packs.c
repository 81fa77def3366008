#include "harness/console/packs/packs.h"

#include "harness/console/packs/captures.h"
#include "harness/console/packs/decide.h"
#include "harness/console/packs/numbers.h"
#include "harness/console/packs/registers.h"
#include "harness/console/packs/score.h"

#include <string.h>

console_pack_adder console_pack_by_name(const char *name)
{
    static const struct {
        const char *name;
        console_pack_adder add;
    } packs[] = { { "decide", console_decide_add },       { "splits", console_splits_add },
                  { "registers", console_registers_add }, { "numbers", console_numbers_add },
                  { "score", console_score_add },         { "captures", console_captures_add } };
    for (size_t i = 0; i < sizeof packs / sizeof packs[0]; i++)
        if (strcmp(packs[i].name, name) == 0)
            return packs[i].add;
    return NULL;
}
