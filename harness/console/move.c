#include "harness/console/move.h"

#include "harness/run/backends.h"
#include "harness/run/image.h"
#include "harness/run/runner.h"
#include "oracles/run.h"
#include "pica/extregs.h"
#include "pica/fields.h"
#include "pica/memory.h"
#include "pica/regs.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALIKE = 0x100000,       /* addresses stay the same in the bits below */
    GUARD = 0x10000,        /* bytes at the end of VRAM that stay free, as the gates want it */
    MOST_COMMANDS = 1 << 16 /* of a list with its jumps */
};

struct moving {
    struct harness_program *out;
    uint32_t first, end; /* what moves; the end moves along, for fills name it */
    uint32_t place;      /* where to */
    uint8_t **chunks;    /* copies of contents, to be changed: of chunks, then of operations */
    uint8_t **loads;
};

/* ------------------------------------------------------------------------------------------------------- addresses */

static uint32_t moved(const struct moving *moving, uint32_t address)
{
    return address >= moving->first && address <= moving->end ? address - moving->first + moving->place : address;
}

/* A word of this layout: its fields that are addresses. */
static uint32_t move_word(const struct moving *moving, enum pica_layout layout, uint32_t word)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(layout, &count);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].type != PICA_FIELD_ADDRESS)
            continue;
        const uint32_t address = pica_field_get(&fields[i], word) << fields[i].unit;
        word = pica_field_set(&fields[i], word, moved(moving, address) >> fields[i].unit);
    }
    return word;
}

/* Words before they were moved, of registers that complete the addresses of others. */
struct bases {
    uint32_t attributes; /* ATTRIBBUFFERS_LOC */
    uint32_t texture;    /* TEXUNIT0_ADDR1 */
};

/* Attributes and indices lie at an offset from a base, which is often the begin of all memory (VTX-03, VTX-21). */
static uint32_t move_offset(const struct moving *moving, uint32_t base, uint32_t offset)
{
    return moved(moving, base + offset) - moved(moving, base);
}

/* Faces of a cube have the upper bits of the first one (CUB-03). */
static uint32_t move_face(const struct moving *moving, uint32_t first, uint32_t low)
{
    return moved(moving, (first & ~0x1FFFFFFu) | low) & 0x1FFFFFFu;
}

static uint32_t move_register(const struct moving *moving, const struct bases *bases, uint32_t id, uint32_t word)
{
    const struct pica_reg_info *const info = pica_reg_info(id);
    const enum pica_layout layout = info != NULL ? info->layout : PICA_LAYOUT_NONE;
    size_t count = 0;
    const struct pica_field_info *const field = pica_layout_fields(layout, &count);
    if (layout == PICA_LAYOUT_NONE)
        return word;
    if (layout == PICA_LAYOUT_ATTRIBBUFFER_OFFSET || layout == PICA_LAYOUT_INDEXBUFFER_CONFIG)
        return pica_field_set(
            field, word,
            move_offset(moving, pica_attribbuffers_loc_base(bases->attributes) << 4, pica_field_get(field, word)));
    if (layout == PICA_LAYOUT_TEXUNIT_ADDR_FACE)
        return pica_field_set(
            field, word,
            move_face(moving, pica_texunit_addr_address(bases->texture) << 3, pica_field_get(field, word) << 3) >> 3);
    return move_word(moving, layout, word);
}

static uint32_t move_external(const struct moving *moving, uint32_t offset, uint32_t word)
{
    const struct pica_extreg_info *const info = pica_extreg_info(offset);
    return info != NULL && info->layout != PICA_LAYOUT_NONE ? move_word(moving, info->layout, word) : word;
}

/* ------------------------------------------------------------------------------------------------------------ lists */

/* The byte at an address as it was loaded last before operation `before`; NULL: it never was. */
static uint8_t *find_byte(const struct moving *moving, uint32_t before, uint32_t address)
{
    const struct harness_program *const out = moving->out;
    for (uint32_t i = before; i-- > 0;)
        if (out->operations[i].kind == PICA_OPERATION_LOAD_MEMORY &&
            address - out->operations[i].address < out->operations[i].size)
            return moving->loads[i] + (address - out->operations[i].address);
    for (uint32_t i = out->setup.chunk_count; i-- > 0;)
        if (address - out->setup.chunks[i].address < out->setup.chunks[i].size)
            return moving->chunks[i] + (address - out->setup.chunks[i].address);
    return NULL;
}

/* What nobody loaded is 0. */
static uint32_t read_word(const struct moving *moving, uint32_t before, uint32_t address)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) {
        const uint8_t *const byte = find_byte(moving, before, address + i);
        word |= byte != NULL ? (uint32_t)*byte << 8 * i : 0;
    }
    return word;
}

static void write_word(const struct moving *moving, uint32_t before, uint32_t address, uint32_t word)
{
    for (uint32_t i = 0; i < 4; i++) {
        uint8_t *const byte = find_byte(moving, before, address + i);
        if (byte != NULL)
            *byte = (uint8_t)(word >> 8 * i);
    }
}

struct place {
    uint32_t address, words, at;
    uint32_t cmdbuf[4]; /* what 0x238-0x23B hold, as far as lists say */
    struct bases bases; /* the same */
};

/* A parameter. True: it jumps. Writes of parts of a word stay: no whole address is in them. */
static bool move_parameter(const struct moving *moving, uint32_t before, struct place *place, uint32_t address,
                           uint32_t id, uint32_t mask)
{
    const uint32_t old = read_word(moving, before, address), word = move_register(moving, &place->bases, id, old);
    if (mask != 0xF)
        return false;
    if (word != old)
        write_word(moving, before, address, word);
    if (id == PICA_REG_ATTRIBBUFFERS_LOC)
        place->bases.attributes = old;
    if (id == PICA_REG_TEXUNIT0_ADDR1)
        place->bases.texture = old;
    if (id >= PICA_REG_CMDBUF_SIZE0 && id <= PICA_REG_CMDBUF_ADDR1)
        place->cmdbuf[id - PICA_REG_CMDBUF_SIZE0] = word;
    if (id != PICA_REG_CMDBUF_JUMP0 && id != PICA_REG_CMDBUF_JUMP1)
        return false;
    const uint32_t channel = id - PICA_REG_CMDBUF_JUMP0;
    place->words = (place->cmdbuf[channel] & 0x1FFFFEu) * 2;
    place->address = (place->cmdbuf[2 + channel] & 0x1FFFFFFEu) * 8;
    place->at = 0;
    return true;
}

static void move_list(const struct moving *moving, uint32_t index, struct place *place)
{
    for (uint32_t i = 0; i < MOST_COMMANDS && place->at + 2 <= place->words; i++) {
        const uint32_t start = place->address + 4 * place->at;
        const uint32_t header = read_word(moving, index, start + 4);
        const uint32_t count = (header >> 20 & 0xFFu) + 1;
        bool jumped = false;
        for (uint32_t k = 0; k < count && !jumped; k++)
            jumped = move_parameter(moving, index, place, k == 0 ? start : start + 4 + 4 * k,
                                    (header & 0xFFFFu) + ((header >> 31) != 0 ? k : 0), header >> 16 & 0xFu);
        if (!jumped)
            place->at += (1 + count + 1) / 2 * 2;
    }
}

/* ------------------------------------------------------------------------------------------------------- operations */

static void move_operation(const struct moving *moving, struct pica_operation *operation)
{
    static const struct bases unknown = { 0, 0 };
    switch (operation->kind) {
    case PICA_OPERATION_LOAD_MEMORY:
    case PICA_OPERATION_SUBMIT_LIST: operation->address = moved(moving, operation->address); break;
    case PICA_OPERATION_WRITE_REGISTER:
        if (operation->address - PICA_INTERNAL_ADDRESS < 4 * PICA_REGISTERS)
            operation->words[0] =
                move_register(moving, &unknown, (operation->address - PICA_INTERNAL_ADDRESS) / 4, operation->words[0]);
        else
            operation->words[0] =
                move_external(moving, operation->address - PICA_EXTERNAL_ADDRESS, operation->words[0]);
        break;
    case PICA_OPERATION_MEMORY_FILL:
        for (uint32_t i = 0; i < 2; i++)
            operation->words[i] = move_external(moving, PICA_EXTREG_FILL0_START + 4 * i, operation->words[i]);
        break;
    case PICA_OPERATION_DISPLAY_TRANSFER:
        for (uint32_t i = 0; i < 2; i++)
            operation->words[i] = move_external(moving, PICA_EXTREG_XFER_IN + 4 * i, operation->words[i]);
        break;
    case PICA_OPERATION_VERTICAL_BLANK: break;
    }
}

static struct bases bases_of(const struct pica_state *state)
{
    return (struct bases){ state->registers[PICA_REG_ATTRIBBUFFERS_LOC], state->registers[PICA_REG_TEXUNIT0_ADDR1] };
}

static bool move_state(const struct moving *moving, const struct pica_state *from)
{
    struct pica_state *const state = harness_arena_copy(&moving->out->arena, from, sizeof *from);
    if (state == NULL)
        return false;
    const struct bases bases = bases_of(from);
    for (uint32_t id = 0; id < PICA_REGISTERS; id++)
        state->registers[id] = move_register(moving, &bases, id, from->registers[id]);
    for (uint32_t i = 0; i < PICA_EXTERNAL_WORDS; i++)
        state->external[i] = move_external(moving, 4 * i, state->external[i]);
    moving->out->setup.initial_state = state;
    return true;
}

/* Windows, chunks and operations, with contents of their own. */
static bool copy_all(struct moving *moving, const struct harness_program *from)
{
    struct harness_program *const out = moving->out;
    struct harness_arena *const arena = &out->arena;
    const struct pica_setup *const setup = &from->setup;
    struct pica_window *const windows =
        harness_arena_copy(arena, setup->windows, setup->window_count * sizeof *windows);
    struct pica_chunk *const chunks = harness_arena_copy(arena, setup->chunks, setup->chunk_count * sizeof *chunks);
    out->operations = harness_arena_copy(arena, from->operations, from->count * sizeof *from->operations);
    out->origins = harness_arena_copy(arena, from->origins, from->count * sizeof *from->origins);
    moving->chunks = harness_arena_array(arena, (size_t)setup->chunk_count + 1, sizeof *moving->chunks);
    moving->loads = harness_arena_array(arena, (size_t)from->count + 1, sizeof *moving->loads);
    bool good = windows != NULL && chunks != NULL && out->operations != NULL && out->origins != NULL &&
                moving->chunks != NULL && moving->loads != NULL;
    for (uint32_t i = 0; good && i < setup->window_count; i++)
        windows[i].address = moved(moving, windows[i].address);
    for (uint32_t i = 0; good && i < setup->chunk_count; i++) {
        moving->chunks[i] = harness_arena_copy(arena, chunks[i].data, chunks[i].size);
        chunks[i].data = moving->chunks[i];
        chunks[i].address = moved(moving, chunks[i].address);
        good = chunks[i].data != NULL;
    }
    for (uint32_t i = 0; good && i < from->count; i++) {
        struct pica_operation *const operation = &out->operations[i];
        move_operation(moving, operation);
        if (operation->kind != PICA_OPERATION_LOAD_MEMORY)
            continue;
        moving->loads[i] = harness_arena_copy(arena, operation->data, operation->size);
        operation->data = moving->loads[i];
        good = operation->data != NULL;
    }
    out->setup.windows = windows;
    out->setup.chunks = chunks;
    return good && (setup->initial_state == NULL || move_state(moving, setup->initial_state));
}

/* What is not in VRAM goes behind what is, as far as it can be with the same low digits. False: nothing is to be moved,
 * or there is no room. */
static bool find_place(const struct pica_setup *setup, struct moving *moving)
{
    const uint32_t vram_end = PICA_VRAM_ADDRESS + PICA_VRAM_SIZE;
    uint32_t used = PICA_VRAM_ADDRESS;
    moving->first = UINT32_MAX;
    moving->end = 0;
    for (uint32_t i = 0; i < setup->window_count; i++) {
        const uint32_t first = setup->windows[i].address, end = first + setup->windows[i].size;
        if (first >= PICA_VRAM_ADDRESS && end <= vram_end) {
            used = end > used ? end : used;
            continue;
        }
        if (first < vram_end)
            return false;
        moving->first = first < moving->first ? first : moving->first;
        moving->end = end > moving->end ? end : moving->end;
    }
    if (moving->end <= moving->first)
        return false;
    moving->place = (used - moving->first % ALIKE + ALIKE - 1) / ALIKE * ALIKE + moving->first % ALIKE;
    if (moving->place > vram_end - GUARD || moving->end - moving->first > vram_end - GUARD - moving->place)
        moving->place = used;
    return used <= vram_end - GUARD && moving->end - moving->first <= vram_end - GUARD - used;
}

enum harness_status console_move(const struct harness_program *from, struct harness_program *out, bool *done,
                                 struct harness_error *error)
{
    struct moving moving = { .out = out };
    *done = find_place(&from->setup, &moving);
    if (!*done)
        return HARNESS_OK;
    harness_arena_reset(&out->arena);
    out->setup = from->setup;
    out->count = from->count;
    if (!copy_all(&moving, from))
        return harness_fail_memory(error);
    struct place place = { .address = 0 };
    if (from->setup.initial_state != NULL)
        place.bases = bases_of(from->setup.initial_state);
    if (out->setup.initial_state != NULL)
        memcpy(place.cmdbuf, out->setup.initial_state->registers + PICA_REG_CMDBUF_SIZE0, sizeof place.cmdbuf);
    for (uint32_t i = 0; i < out->count; i++) {
        const struct pica_operation *const operation = &out->operations[i];
        if (operation->kind != PICA_OPERATION_SUBMIT_LIST)
            continue;
        place.address = operation->address;
        place.words = operation->size / 4;
        place.at = 0;
        move_list(&moving, i, &place);
    }
    return HARNESS_OK;
}

void console_move_back(uint8_t *image, uint8_t *before, const uint8_t *now, size_t size)
{
    for (size_t i = 0; i < size; i++)
        image[i] = now[i] != before[i] ? now[i] : image[i];
    memcpy(before, now, size);
}

/* -------------------------------------------------------------------------------------------------------- the proof */

struct console_mover {
    struct harness_runner *here, *there; /* `reference` with the case where it was, and moved */
    uint8_t *images;                     /* of the case, of the moved one before and after an operation */
};

struct console_mover *console_mover_create(void)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *const reference = harness_linked_backend(HARNESS_REFERENCE);
    struct console_mover *const mover = calloc(1, sizeof *mover);
    if (mover == NULL)
        return NULL;
    if (harness_runner_create(reference, &options, &mover->here) != PICA_OK ||
        harness_runner_create(reference, &options, &mover->there) != PICA_OK) {
        console_mover_destroy(mover);
        return NULL;
    }
    harness_runner_hide_screens(mover->here, true);
    harness_runner_hide_screens(mover->there, true);
    return mover;
}

void console_mover_destroy(struct console_mover *mover)
{
    if (mover == NULL)
        return;
    harness_runner_destroy(mover->here);
    harness_runner_destroy(mover->there);
    free(mover->images);
    free(mover);
}

static enum pica_status take_image(struct harness_runner *runner, uint8_t *image)
{
    struct oracle_run run;
    const enum pica_status status = harness_runner_collect(runner, &run);
    if (status == PICA_OK)
        harness_image_take(&run, image);
    return status;
}

/* One operation both ways; *same: what is read back is what the case leaves. images: the case as it is read back, the
 * moved one before, and room for two. */
static enum pica_status step_both(struct console_mover *mover, const struct harness_program *from,
                                  const struct harness_program *to, uint32_t index, size_t size, bool *same)
{
    uint8_t *const image = mover->images, *const before = image + size, *const now = before + size,
                   *const left = now + size;
    const struct pica_operation *const here = &from->operations[index], *const there = &to->operations[index];
    enum pica_status status = harness_runner_step(mover->here, here);
    if (status == PICA_OK)
        status = harness_runner_step(mover->there, there);
    if (status != PICA_OK)
        return status;
    if (here->kind == PICA_OPERATION_LOAD_MEMORY) {
        harness_image_load(&from->setup, image, here->address, here->data, here->size);
        harness_image_load(&to->setup, before, there->address, there->data, there->size);
        return status;
    }
    status = take_image(mover->here, left);
    if (status == PICA_OK)
        status = take_image(mover->there, now);
    if (status == PICA_OK)
        console_move_back(image, before, now, size);
    *same = status == PICA_OK && memcmp(image, left, size) == 0;
    return status;
}

enum harness_status console_mover_move(struct console_mover *mover, const struct harness_program *from,
                                       struct harness_program *out, bool *done, struct harness_error *error)
{
    const enum harness_status status = console_move(from, out, done, error);
    if (status != HARNESS_OK || !*done)
        return status;
    const size_t size = harness_image_size(&from->setup);
    free(mover->images);
    mover->images = malloc(4 * size);
    if (mover->images == NULL)
        return harness_fail_memory(error);
    harness_image_begin(&from->setup, mover->images);
    harness_image_begin(&out->setup, mover->images + size);
    enum pica_status ran = harness_runner_load(mover->here, &from->setup);
    if (ran == PICA_OK)
        ran = harness_runner_load(mover->there, &out->setup);
    for (uint32_t i = 0; ran == PICA_OK && *done && i < from->count; i++)
        ran = step_both(mover, from, out, i, size, done);
    if (ran == PICA_NOT_SUPPORTED)
        *done = false;
    return ran == PICA_OK || ran == PICA_NOT_SUPPORTED ? HARNESS_OK
                                                       : harness_runner_fail(mover->there, "an operation", ran, error);
}
