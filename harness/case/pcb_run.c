#include "harness/case/pcb_run.h"

#include "harness/case/pcb.h"
#include "harness/case/pcb_words.h"

enum {
    USUAL_BYTES = 8, /* what every form may look at without a question, parameters in pairs apart */
    WRITE_BYTES = 8  /* of one parameter, in the list */
};

/* clang-format off */
/* The size of a write of one parameter, by the upper six bits of its head; 0: the head of something else. It is a table
 * of its own because the way to the next command is what takes long. */
static const uint8_t write_sizes[64] = {
    6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, /* in full, without a second head */
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 6  /* in short */
};

/* More about it, by bit 14 and the half-byte behind. */
static const struct write_form {
    uint8_t presence; /* the bytes of the parameter that follow */
    uint8_t mask;
    uint16_t own; /* bit i: the encoder chooses this form if the bytes of the parameter that are not 0 are those of i */
} write_forms[32] = {
    /* In full: a parameter with a 0 among its bytes is shorter in short, unless the mask is odd. */
    { 15, 15, 0x8000 }, { 15, 14, 0xFFFE }, { 15, 13, 0xFFFE }, { 15, 12, 0xFFFE },
    { 15, 11, 0xFFFE }, { 15, 10, 0xFFFE }, { 15,  9, 0xFFFE }, { 15,  8, 0xFFFE },
    { 15,  7, 0xFFFE }, { 15,  6, 0xFFFE }, { 15,  5, 0xFFFE }, { 15,  4, 0xFFFE },
    { 15,  3, 0xFFFE }, { 15,  2, 0xFFFE }, { 15,  1, 0xFFFE }, { 15,  0, 0xFFFE },
    { 0,  15, 0x0001 }, { 1,  15, 0x0002 }, { 2,  15, 0x0004 }, { 3,  15, 0x0008 },
    { 4,  15, 0x0010 }, { 5,  15, 0x0020 }, { 6,  15, 0x0040 }, { 7,  15, 0x0080 },
    { 8,  15, 0x0100 }, { 9,  15, 0x0200 }, { 10, 15, 0x0400 }, { 11, 15, 0x0800 },
    { 12, 15, 0x1000 }, { 13, 15, 0x2000 }, { 14, 15, 0x4000 }, { 15, 15, 0x0000 }
};
/* clang-format on */

/* What `origin` is of a command that the encoder would give just these bytes for. */
static inline uint32_t origin_of(const struct harness_pcb_run *run, const uint8_t *start, const uint8_t *end, bool own)
{
    const uint32_t origin = harness_pcb_origin((size_t)(start - run->first), (size_t)(end - start));
    return origin & (0u - (own ? 1u : 0u));
}

/* The parameters of a short command that are whole, from `at` on. What is behind them, or NULL if they may not be
 * whole. *own: as the encoder stores them. */
static const uint8_t *take_parameters(const uint8_t *at, const uint8_t *end, uint32_t *words, uint32_t count,
                                      bool packed, bool *own)
{
    const uint32_t most = packed ? harness_pcb_most_packed(count) : 4 * count;
    uint32_t wrong;
    if ((size_t)(end - at) < most)
        return NULL;
    if (packed) {
        const uint8_t *const behind = harness_pcb_spread_words(at, words, count, &wrong);
        *own = wrong == 0 && harness_pcb_worth_packing((size_t)(behind - at), count);
        return behind;
    }
    *own = !harness_pcb_worth_packing(harness_pcb_load_words(at, words, count), count);
    return at + 4 * (size_t)count;
}

/* The next command, which is no write of one parameter; false if it is none of a usual form, or not whole, or too
 * much: then nothing is taken. `head`: its first four bytes. */
static bool take_short_command(struct harness_pcb_run *run, uint32_t head)
{
    struct harness_command *const command = run->command;
    const uint32_t count = (head >> 16 & 0xFFu) + 1, bytes = harness_pcb_command_bytes(count);
    const bool consecutive = (head & PCB_SHORT_CONSECUTIVE) != 0;
    bool own = false;
    if ((head & (0xE000u | PCB_SHORT_ODD)) != PCB_SHORT_COMMAND || (head & 0x3FFu) >= PCB_IDS || run->data_left < bytes)
        return false;
    const uint8_t *const behind =
        take_parameters(run->at + 3, run->end, run->parameters, count, (head & PCB_SHORT_PACKED) != 0, &own);
    if (behind == NULL)
        return false;
    own = own && (count > 1 || consecutive) && run->noted; /* else a write */
    *command = (struct harness_command){ .id = (uint16_t)(head & 0x3FFu),
                                         .count = (uint16_t)count,
                                         .mask = 0xF,
                                         .consecutive = consecutive,
                                         .origin = origin_of(run, run->at, behind, own),
                                         .parameters = run->parameters };
    run->at = behind;
    run->command++;
    run->commands_left--;
    run->parameters += count;
    run->data_left -= bytes;
    return true;
}

/* Writes of one parameter, as long as there are more. */
static void take_writes(struct harness_pcb_run *run)
{
    const uint8_t *at = run->at;
    struct harness_command *command = run->command;
    uint32_t *parameters = run->parameters;
    const uint32_t room = run->data_left / WRITE_BYTES;
    const uint32_t most = room < run->commands_left ? room : run->commands_left;
    const bool noted = run->noted;
    for (; run->end - at >= USUAL_BYTES && (uint32_t)(command - run->command) < most; command++) {
        const uint32_t head = harness_pcb_load(at), id = head & 0x3FFu;
        const uint32_t size = write_sizes[at[1] >> 2];
        const struct write_form *const form = &write_forms[head >> 10 & 0x1Fu];
        if (size == 0 || id >= PCB_IDS)
            break;
        const uint32_t word = harness_pcb_spread(at + 2, form->presence);
        const bool own = (form->own >> harness_pcb_presence(word, 0) & 1) != 0;
        *parameters = word;
        *command = (struct harness_command){ .id = (uint16_t)id,
                                             .count = 1,
                                             .mask = form->mask,
                                             .origin = origin_of(run, at, at + size, own && noted),
                                             .parameters = parameters };
        parameters++;
        at += size;
    }
    const uint32_t taken = (uint32_t)(command - run->command);
    run->at = at;
    run->command = command;
    run->parameters = parameters;
    run->commands_left -= taken;
    run->data_left -= taken * WRITE_BYTES;
}

void harness_pcb_take_run(struct harness_pcb_run *run)
{
    do
        take_writes(run);
    while (run->end - run->at >= USUAL_BYTES && run->commands_left != 0 &&
           take_short_command(run, harness_pcb_load(run->at)));
}
