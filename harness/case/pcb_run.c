#include "harness/case/pcb_run.h"

#include "harness/case/pcb.h"
#include "harness/case/pcb_words.h"

enum {
    USUAL_BYTES = 8 /* what every form may look at without a question, parameters in pairs apart */
};

/* What `origin` is of a command that the encoder would give just these bytes for. */
static inline uint32_t origin_of(const struct harness_pcb_run *run, const uint8_t *start, const uint8_t *end, bool own)
{
    const uint32_t origin = harness_pcb_origin((size_t)(start - run->first), (size_t)(end - start));
    return origin & (0u - (own ? 1u : 0u));
}

/* What a head and the bytes behind it say of a command. */
struct taken {
    uint32_t count; /* parameters, which lie in their place; 0: the command is of another form, or may not be whole */
    uint32_t mask;
    bool consecutive;
    bool own; /* the encoder would give just these bytes */
};

/* The parameters of a short command, from `at` on; of `taken` the count is known, and `own` becomes whether the encoder
 * stores them so. What is behind them, or NULL if they may not be whole. */
static inline const uint8_t *take_parameters(const uint8_t *at, const uint8_t *end, uint32_t *words, bool packed,
                                             struct taken *taken)
{
    const uint32_t count = taken->count;
    const uint32_t most = packed ? harness_pcb_most_packed(count) : 4 * count;
    uint32_t wrong;
    if ((size_t)(end - at) < most)
        return NULL;
    if (packed) {
        const uint8_t *const behind = harness_pcb_spread_words(at, words, count, &wrong);
        taken->own = wrong == 0 && harness_pcb_worth_packing((size_t)(behind - at), count);
        return behind;
    }
    taken->own = !harness_pcb_worth_packing(harness_pcb_load_words(at, words, count), count);
    return at + 4 * (size_t)count;
}

/* The command at `at`, of which four bytes are `head`. *behind: what is behind it. */
static inline struct taken take_command(const uint8_t *at, uint32_t head, const uint8_t *end, uint32_t *words,
                                        const uint8_t **behind)
{
    const uint32_t nibble = head >> 10 & 0xFu;
    struct taken taken = { .count = 1, .mask = 0xF };
    if ((head & PCB_SHORT_WRITE) == PCB_SHORT_WRITE) {
        *words = harness_pcb_spread(at + 2, nibble);
        *behind = at + 2 + harness_pcb_counts[nibble];
        taken.own = harness_pcb_presence(*words, 0) == nibble && nibble != 0xF;
        return taken;
    }
    if ((head & PCB_SHORT_WRITE) == 0) { /* in full, without a second head: in short a 0 byte is saved, if no mask is */
        *words = harness_pcb_load(at + 2);
        *behind = at + 6;
        taken.mask = nibble ^ 0xFu;
        taken.own = nibble == 0 ? harness_pcb_presence(*words, 0) == 0xF : *words != 0;
        return taken;
    }
    taken.count = (head >> 16 & 0xFFu) + 1;
    taken.consecutive = (head & PCB_SHORT_CONSECUTIVE) != 0;
    *behind = (head & (0xE000u | PCB_SHORT_ODD)) != PCB_SHORT_COMMAND
                  ? NULL
                  : take_parameters(at + 3, end, words, (head & PCB_SHORT_PACKED) != 0, &taken);
    taken.own = taken.own && (taken.count > 1 || taken.consecutive); /* else a write */
    if (*behind == NULL)
        taken.count = 0;
    return taken;
}

/* `noted` is a constant in each of the calls below: without it nobody asks whether bytes are the encoder's own. */
static inline void take_run(struct harness_pcb_run *run, bool noted)
{
    const uint8_t *at = run->at, *behind = at;
    struct harness_command *command = run->command;
    uint32_t commands_left = run->commands_left;
    uint32_t *parameters = run->parameters;
    uint32_t data_left = run->data_left;
    for (; run->end - at >= USUAL_BYTES && commands_left != 0; command++, commands_left--) {
        const uint32_t head = harness_pcb_load(at), id = head & 0x3FFu;
        const struct taken taken = take_command(at, head, run->end, parameters, &behind);
        const uint32_t bytes = harness_pcb_command_bytes(taken.count);
        if (taken.count == 0 || id >= PCB_IDS || data_left < bytes)
            break;
        *command = (struct harness_command){ .id = (uint16_t)id,
                                             .count = (uint16_t)taken.count,
                                             .mask = (uint8_t)taken.mask,
                                             .consecutive = taken.consecutive,
                                             .origin = origin_of(run, at, behind, taken.own && noted),
                                             .parameters = parameters };
        at = behind;
        parameters += taken.count;
        data_left -= bytes;
    }
    run->commands_left = commands_left;
    run->at = at;
    run->command = command;
    run->parameters = parameters;
    run->data_left = data_left;
}

void harness_pcb_take_run(struct harness_pcb_run *run)
{
    if (run->noted)
        take_run(run, true);
    else
        take_run(run, false);
}
