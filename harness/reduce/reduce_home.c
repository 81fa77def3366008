/*
 * Passes over the addresses of a case: they move all memory into the window that a case without windows has, lists to
 * its start, buffers and textures to its middle. Then readers know where things are, and the binary form need not say
 * it. A change is a guess, since things may overlap differently at the new addresses.
 */
#include "harness/reduce/reduce_pass.h"
#include "pica/memory.h"
#include "pica/regs.h"

enum {
    ARRAYS = 12,
    HOME_SIZE = HARNESS_PCB_USUAL_WINDOW,
    HOME_MIDDLE = HOME_SIZE / 2, /* offsets */
    HOME_THREE_QUARTERS = HOME_MIDDLE + HOME_SIZE / 4,
    BUFFER_UNIT = 8 /* bytes: FBF-02 */
};

bool harness_reduce_is_home(const struct harness_case *test_case)
{
    return test_case->window_count == 1 && test_case->windows[0].address == PICA_VRAM_ADDRESS &&
           test_case->windows[0].size == HOME_SIZE;
}

/* --------------------------------------------------------------------------------------------------------- windows */

struct move {
    const struct harness_case *test_case; /* with its original windows */
    uint32_t to[PICA_MAX_WINDOWS];
    uint32_t base; /* of vertex arrays and indices (VTX-01), in bytes */
};

/* The new address of the byte at this address; addresses outside windows stay. The end address of a window moves along
 * with it, because fills name it. */
static uint32_t moved(const struct move *move, uint32_t address)
{
    for (uint32_t past = 0; past < 2; past++)
        for (uint32_t i = 0; i < move->test_case->window_count; i++) {
            const struct pica_window *const window = &move->test_case->windows[i];
            if (address - window->address < window->size + past)
                return move->to[i] + (address - window->address);
        }
    return address;
}

static uint32_t get_base(uint32_t word)
{
    return pica_attribbuffers_loc_base(word) << 4;
}

static void find_base(void *user, const struct reduce_word *word)
{
    if (word->id == PICA_REG_ATTRIBBUFFERS_LOC)
        *(uint32_t *)user = get_base(*word->word);
}

/* The field that holds a distance from the base (VTX-04, VTX-20), or NULL. */
static const struct pica_field_info *offset_field(const struct reduce_word *word)
{
    const uint32_t first = PICA_REG_ATTRIBBUFFER0_OFFSET;
    const uint32_t step = pica_reg_attribbuffer(1, PICA_REG_ATTRIBBUFFER0_OFFSET) - first;
    if (word->id == PICA_REG_INDEXBUFFER_CONFIG ||
        (word->id >= first && word->id < first + ARRAYS * step && (word->id - first) % step == 0))
        return pica_field_by_name(word->layout, "offset");
    return NULL;
}

static void move_offset(const struct move *move, const struct reduce_word *word, const struct pica_field_info *field)
{
    const uint32_t address = move->base + pica_field_get(field, *word->word);
    const uint32_t offset = moved(move, address) - moved(move, move->base);
    *word->word = pica_field_set(field, *word->word, offset);
}

static void move_word(void *user, const struct reduce_word *word)
{
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    const struct pica_field_info *const offset = offset_field(word);
    if (offset != NULL)
        move_offset(user, word, offset);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].type != PICA_FIELD_ADDRESS)
            continue;
        const uint32_t unit = fields[i].unit;
        const uint32_t address = pica_field_get(&fields[i], *word->word) << unit;
        *word->word = pica_field_set(&fields[i], *word->word, moved(user, address) >> unit);
    }
}

static void move_operations(struct harness_case *test_case, const struct move *move)
{
    for (uint32_t i = 0; i < test_case->chunk_count; i++)
        test_case->chunks[i].address = moved(move, test_case->chunks[i].address);
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        struct harness_operation *const operation = &test_case->operations[i];
        if (operation->kind == HARNESS_LOAD || operation->kind == HARNESS_RUN || operation->kind == HARNESS_SUBMIT)
            operation->address = moved(move, operation->address);
    }
}

/* Variants: windows placed one after the other; all windows at the same place. */
static bool move_home(struct harness_case *test_case, struct reduce_walk *walk)
{
    struct move move = { .test_case = test_case };
    uint32_t used = 0;
    if (harness_reduce_is_home(test_case) || !harness_reduce_takes(walk))
        return true;
    for (uint32_t i = 0; i < test_case->window_count; i++) {
        const uint32_t at = walk->variant == 0 ? used : 0;
        if (test_case->windows[i].size > HOME_SIZE - at)
            return true;
        move.to[i] = PICA_VRAM_ADDRESS + at;
        used = at + test_case->windows[i].size;
    }
    harness_reduce_visit_words(test_case, find_base, &move.base);
    move_operations(test_case, &move);
    harness_reduce_visit_words(test_case, move_word, &move);
    test_case->window_count = 1;
    test_case->windows[0] = (struct pica_window){ PICA_VRAM_ADDRESS, HOME_SIZE };
    walk->changed = true;
    return true;
}

const struct reduce_pass harness_reduce_home = { "usual window", 2, .walk = move_home };

/* ----------------------------------------------------------------------------------------------------------- lists */

/* Moves a buffer away from the start of the window. */
static void make_way(void *user, const struct reduce_word *word)
{
    const bool color = word->id == PICA_REG_COLORBUFFER_LOC;
    const uint32_t middle = (PICA_VRAM_ADDRESS + HOME_MIDDLE) / BUFFER_UNIT;
    (void)user;
    if ((color || word->id == PICA_REG_DEPTHBUFFER_LOC) && *word->word < middle)
        *word->word = color ? middle : (PICA_VRAM_ADDRESS + HOME_THREE_QUARTERS) / BUFFER_UNIT;
}

/* Variants: move lists only; move lists, and move buffers out of their way. */
static bool move_runs(struct harness_case *test_case, struct reduce_walk *walk)
{
    for (uint32_t i = 0; i < test_case->operation_count; i++) {
        struct harness_operation *const operation = &test_case->operations[i];
        if (!harness_reduce_takes(walk) || operation->kind != HARNESS_RUN || operation->address == PICA_VRAM_ADDRESS)
            continue;
        operation->address = PICA_VRAM_ADDRESS;
        walk->changed = true;
    }
    if (walk->changed && walk->variant == 1)
        harness_reduce_visit_words(test_case, make_way, NULL);
    return true;
}

const struct reduce_pass harness_reduce_runs = { "places of lists", 2, .walk = move_runs };

/* --------------------------------------------------------------------------------------------- buffers and textures */

/* Variants: the middle of the usual window; the middle of its second half, where something else is in the middle.
 * Addresses only decrease, as in the other passes, so that reduction terminates. */
static void settle_word(void *user, const struct reduce_word *word)
{
    struct reduce_walk *const walk = user;
    const uint32_t address = PICA_VRAM_ADDRESS + (walk->variant == 0 ? HOME_MIDDLE : HOME_THREE_QUARTERS);
    size_t count = 0;
    const struct pica_field_info *const fields = pica_layout_fields(word->layout, &count);
    for (size_t i = 0; i < count; i++) {
        if (fields[i].type != PICA_FIELD_ADDRESS || !harness_reduce_takes(walk))
            continue;
        const uint32_t wanted = address >> fields[i].unit;
        if (pica_field_get(&fields[i], *word->word) <= wanted)
            continue;
        *word->word = pica_field_set(&fields[i], *word->word, wanted);
        walk->changed = true;
    }
}

const struct reduce_pass harness_reduce_addresses = { "addresses", 2, .visit = settle_word };

/* ---------------------------------------------------------------------------------------------------- vertex arrays */

struct rebase {
    struct reduce_walk *walk;
    uint32_t shift; /* bytes from the old base to the new one */
    uint32_t least; /* the smallest of all distances */
};

static void find_offset(void *user, const struct reduce_word *word)
{
    struct rebase *const rebase = user;
    const struct pica_field_info *const field = offset_field(word);
    if (field == NULL)
        return;
    const uint32_t offset = pica_field_get(field, *word->word);
    if (offset < rebase->least)
        rebase->least = offset;
    if (harness_reduce_takes(rebase->walk))
        rebase->shift = offset & ~0xFu;
}

static void shift_word(void *user, const struct reduce_word *word)
{
    const struct rebase *const rebase = user;
    const struct pica_field_info *const field = offset_field(word);
    if (field != NULL)
        *word->word = pica_field_set(field, *word->word, pica_field_get(field, *word->word) - rebase->shift);
    if (word->id == PICA_REG_ATTRIBBUFFERS_LOC) {
        const uint32_t base = get_base(*word->word) + rebase->shift;
        *word->word = pica_attribbuffers_loc_set_base(*word->word, base >> 4);
    }
}

/* Moves the base to the start of an array or of the indices, or to the multiple of 16 below: then that distance is 0,
 * its reset value, or less than 16. Bases only grow, and no distance may become negative, so this terminates. */
static bool move_base(struct harness_case *test_case, struct reduce_walk *walk)
{
    uint32_t base = UINT32_MAX;
    struct rebase rebase = { .walk = walk, .least = UINT32_MAX };
    harness_reduce_visit_words(test_case, find_base, &base);
    harness_reduce_visit_words(test_case, find_offset, &rebase);
    walk->changed = walk->range.count == 1 && base != UINT32_MAX && rebase.shift != 0 && rebase.shift <= rebase.least &&
                    rebase.shift <= UINT32_MAX - base;
    if (walk->changed)
        harness_reduce_visit_words(test_case, shift_word, &rebase);
    return true;
}

const struct reduce_pass harness_reduce_bases = { "bases of arrays", 1, .walk = move_base };
