/* The kinds of change: their names, how often each is made, and making several of them to one case. */
#include "harness/grammar/mutate_parts.h"

/* Name, function and weight. Kinds after which most draws are still visible are frequent, because engines make several
 * changes to one input; and so are those that find planted bugs sooner than others (011-the-schedule.md). */
#define EACH_KIND(KIND)                                    \
    KIND("field", mutate_word, 20)                         \
    KIND("fields", mutate_words, 6)                        \
    KIND("copy-field", mutate_copy_field, 5)               \
    KIND("header", mutate_header, 4)                       \
    KIND("count", mutate_count, 3)                         \
    KIND("insert-command", mutate_insert_command, 8)       \
    KIND("delete-commands", mutate_delete_commands, 5)     \
    KIND("repeat-commands", mutate_repeat_commands, 3)     \
    KIND("move-commands", mutate_move_commands, 4)         \
    KIND("draw-again", mutate_draw_again, 6)               \
    KIND("draws", mutate_draws, 5)                         \
    KIND("reuse", mutate_reuse, 14)                        \
    KIND("delta", mutate_delta, 10)                        \
    KIND("instruction", mutate_shader, 12)                 \
    KIND("instructions", mutate_shader_block, 5)           \
    KIND("stream", mutate_stream, 3)                       \
    KIND("contents", mutate_contents, 6)                   \
    KIND("vertices", mutate_vertices, 5)                   \
    KIND("memory", mutate_chunks, 2)                       \
    KIND("relocate", mutate_relocate, 2)                   \
    KIND("operation", mutate_operation_words, 6)           \
    KIND("insert-operation", mutate_insert_operation, 8)   \
    KIND("delete-operations", mutate_delete_operations, 1) \
    KIND("move-operation", mutate_move_operation, 3)       \
    KIND("windows", mutate_windows, 1)                     \
    KIND("limits", mutate_limits, 3)                       \
    KIND("state", mutate_state, 2)                         \
    KIND("state-block", mutate_splice_block, 6)            \
    KIND("tail", mutate_tail, 1)

struct kind {
    const char *name;
    bool (*change)(const struct mutation *mutation);
};

#define ROW(name, change, weight) { name, change },
static const struct kind kinds[] = { EACH_KIND(ROW) };
#undef ROW

/* Numbers the shares: a kind of weight w has w of them, the first being one more than the last of the kind before. */
#define SHARE(name, change, weight) FIRST_##change, LAST_##change = FIRST_##change + (weight)-1,
enum {
    EACH_KIND(SHARE) SHARES
};
#undef SHARE

/* By kind: how many shares it and all kinds before it have. */
#define UP_TO(name, change, weight) LAST_##change + 1,
static const uint8_t shares[] = { EACH_KIND(UP_TO) };
#undef UP_TO

enum {
    KINDS = sizeof kinds / sizeof kinds[0]
};

_Static_assert(SHARES <= UINT8_MAX, "sums of shares are bytes");

uint32_t harness_mutation_kinds(void)
{
    return KINDS;
}

const char *harness_mutation_kind_name(uint32_t kind)
{
    return kind < KINDS ? kinds[kind].name : NULL;
}

bool mutate_by_kind(const struct mutation *mutation, uint32_t kind)
{
    return kind < KINDS && kinds[kind].change(mutation);
}

/* Draws by weight as harness_random_weighted does, but without a branch for each kind. */
static uint32_t draw_kind(struct harness_random *random)
{
    const uint32_t share = harness_random_below(random, SHARES);
    uint32_t kind = 0;
    for (uint32_t i = 0; i < KINDS; i++)
        kind += shares[i] <= share ? 1 : 0;
    return kind;
}

/* The kind that changed the case, or KINDS if eight found nothing to change. */
static uint32_t change_once(const struct mutation *mutation)
{
    for (int tries = 0; tries < 8; tries++) {
        const uint32_t kind = draw_kind(mutation->random);
        if (kinds[kind].change(mutation))
            return kind;
    }
    return KINDS;
}

uint64_t harness_case_mutate(struct harness_case *test_case, struct harness_random *random, uint32_t count,
                             harness_leaf_mutator leaf)
{
    const struct mutation mutation = { .test_case = test_case, .random = random, .leaf = leaf };
    uint64_t taken = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t kind = change_once(&mutation);
        taken |= kind < KINDS ? (uint64_t)1 << kind : 0;
    }
    return taken;
}
