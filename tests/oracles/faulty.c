#include "tests/oracles/faulty.h"

#include "pica/extregs.h"
#include "pica/regs.h"
#include "reference/reference.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LIST = 1 << 20
};

/* Faults that look back; cleared for each submission. */
static uint32_t last_id;
static bool seen[PICA_REGISTERS];
static uint32_t seen_values[PICA_REGISTERS];

static bool within(uint32_t id, uint32_t first, uint32_t last)
{
    return id >= first && id <= last;
}

static uint32_t id_of(const uint32_t *header)
{
    return pica_command_header_id(*header);
}

static bool is_consecutive(const uint32_t *header)
{
    return pica_command_header_consecutive(*header) != 0;
}

/* The command goes to a register without meaning. */
static void lose(uint32_t *header)
{
    *header = pica_command_header_set_id(*header, PICA_REG_UNUSED_045);
    *header = pica_command_header_set_consecutive(*header, 0);
}

/* ----------------------------------------------------------------------------------------------- faults of decoding */

static void short_runs(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    if (count >= 3)
        *header = pica_command_header_set_consecutive(*header, 0);
}

static void count_of_11_bits(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    (void)count;
    if (pica_command_header_ignored(*header) != 0)
        lose(header);
}

static void no_masks(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    (void)count;
    if (pica_command_header_mask(*header) != 0)
        *header = pica_command_header_set_mask(*header, 15);
}

static void first_write_wins(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    const uint32_t id = id_of(header);
    if (count != 1 || !within(id, PICA_REG_FACECULLING_CONFIG, PICA_REG_ATTRIBBUFFERS_LOC))
        return;
    if (seen[id])
        lose(header);
    seen[id] = true;
}

static void same_value_clears(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    const uint32_t id = id_of(header);
    if (count != 1 || id >= PICA_REGISTERS || pica_reg_info(id)->reg_class != PICA_REG_CLASS_CONFIG)
        return;
    const uint32_t value = parameters[0];
    if (seen[id] && seen_values[id] == value)
        parameters[0] = 0;
    seen[id] = true;
    seen_values[id] = value;
}

static void descending_ids(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    (void)count;
    const uint32_t id = id_of(header);
    if (id + 1 == last_id)
        lose(header);
    last_id = id;
}

static void one_alias(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    (void)count;
    const uint32_t id = id_of(header);
    if (!is_consecutive(header) && (within(id, PICA_REG_VSH_CODETRANSFER_DATA1, PICA_REG_VSH_CODETRANSFER_DATA7) ||
                                    within(id, PICA_REG_VSH_FLOATUNIFORM_DATA1, PICA_REG_VSH_FLOATUNIFORM_DATA7)))
        lose(header);
}

static void no_jump(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    (void)parameters;
    (void)count;
    if (id_of(header) == PICA_REG_CMDBUF_JUMP1)
        lose(header);
}

/* Adds a change of one register's parameters, whichever command writes it. */
static void change(uint32_t *header, uint32_t *parameters, uint32_t count, uint32_t id, uint32_t (*how)(uint32_t))
{
    for (uint32_t k = 0; k < count; k++)
        if ((is_consecutive(header) ? id_of(header) + k : id_of(header)) == id)
            parameters[k] = how(parameters[k]);
}

/* Registers whose words a faulty decoder changes: name of the fault, register, expression of the word w. */
#define WORD_FAULT(name, id, expression)                                     \
    static uint32_t name##_word(uint32_t w)                                  \
    {                                                                        \
        return expression;                                                   \
    }                                                                        \
    static void name(uint32_t *header, uint32_t *parameters, uint32_t count) \
    {                                                                        \
        change(header, parameters, count, id, name##_word);                  \
    }

WORD_FAULT(no_vertex_offset, PICA_REG_VERTEX_OFFSET, w * 0u)
WORD_FAULT(no_index_offset, PICA_REG_INDEXBUFFER_CONFIG, w & 0xF8000000u)
WORD_FAULT(zero_is_three, PICA_REG_NUMVERTICES, w == 0 ? 3 : w)
WORD_FAULT(index_type_inverted, PICA_REG_INDEXBUFFER_CONFIG, w ^ 0x80000000u)
WORD_FAULT(indices_are_bytes, PICA_REG_INDEXBUFFER_CONFIG, w & 0x7FFFFFFFu)
WORD_FAULT(strips_are_fans, PICA_REG_PRIMITIVE_CONFIG, (w & 0x300u) == 0x100u ? w ^ 0x300u : w)
WORD_FAULT(fans_are_strips, PICA_REG_PRIMITIVE_CONFIG, (w & 0x300u) == 0x200u ? w ^ 0x300u : w)
WORD_FAULT(exclusive_corner, PICA_REG_SCISSORTEST_DIM, w - 0x00010001u)
WORD_FAULT(offset_of_24_bits, PICA_REG_ATTRIBBUFFER0_OFFSET, w & 0x00FFFFFFu)
WORD_FAULT(bytes_have_signs, PICA_REG_ATTRIBBUFFERS_FORMAT_LOW, w & ~(w & ~w >> 1 & 0x11111111u))
WORD_FAULT(alpha_test_always, PICA_REG_FRAGOP_ALPHA_TEST, w | 1u)
WORD_FAULT(viewport_of_32_bits, PICA_REG_VIEWPORT_WIDTH, w > 0xFFFFFFu ? 0u : w)
WORD_FAULT(no_far_textures, PICA_REG_TEXUNIT0_ADDR1, (w & 0x04C00000u) == 0x04C00000u ? w & 0x00FFFFFFu : w)
WORD_FAULT(float24_only, PICA_REG_VSH_FLOATUNIFORM_INDEX, w & 0x7FFFFFFFu)

/* JMPC becomes NOP. */
static uint32_t never_jumping_word(uint32_t w)
{
    return pica_shader_instruction_opcode(w) == 0x2C ? 0x84000000u : w;
}

static void never_jumping(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    for (uint32_t id = PICA_REG_VSH_CODETRANSFER_DATA0; id <= PICA_REG_VSH_CODETRANSFER_DATA7; id++)
        change(header, parameters, count, id, never_jumping_word);
}

static uint32_t clamp_word(uint32_t w)
{
    return pica_texunit_param_wrap_s(w) == PICA_TEXTURE_WRAP_CLAMP_TO_BORDER ||
                   pica_texunit_param_wrap_s(w) == PICA_TEXTURE_WRAP_MIRRORED_REPEAT
               ? pica_texunit_param_set_type(w, (uint32_t)PICA_TEXTURE_TYPE_DISABLED)
               : w;
}

static void no_border(uint32_t *header, uint32_t *parameters, uint32_t count)
{
    change(header, parameters, count, PICA_REG_TEXUNIT0_PARAM, clamp_word);
}

/* --------------------------------------------------------------------------------------------- faults of operations */

static void no_high_lists(struct pica_operation *operation)
{
    if (operation->kind == PICA_OPERATION_SUBMIT_LIST && operation->address >= 0x27000000u)
        operation->size = 0;
}

static void fills_of_64_bytes(struct pica_operation *operation)
{
    if (operation->kind == PICA_OPERATION_MEMORY_FILL)
        operation->words[0] = (operation->words[0] + 7u) & ~7u;
}

static void no_32_bit_fills(struct pica_operation *operation)
{
    if (operation->kind == PICA_OPERATION_MEMORY_FILL &&
        pica_fill_ctrl_width(operation->words[3]) == PICA_FILL_WIDTH_32)
        operation->words[3] = pica_fill_ctrl_set_width(operation->words[3], (uint32_t)PICA_FILL_WIDTH_24);
}

static bool is_copy(const struct pica_operation *operation)
{
    return operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && pica_xfer_flags_copy(operation->words[4]) != 0;
}

static void transfers_are_upside_down(struct pica_operation *operation)
{
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && !is_copy(operation))
        operation->words[4] ^= 1u;
}

static void copies_of_64_bytes(struct pica_operation *operation)
{
    if (is_copy(operation))
        operation->words[6] &= ~63u;
}

static void copies_in_place_move(struct pica_operation *operation)
{
    if (operation->kind == PICA_OPERATION_DISPLAY_TRANSFER && operation->words[0] == operation->words[1])
        operation->words[1] += 2;
}

/* REG-15: a CPU can switch the stop of lists off. */
static const struct pica_operation autostop_off = { .kind = PICA_OPERATION_WRITE_REGISTER, .address = 0x104010D0u };

static const struct pica_operation forget_mask = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                                   .address = 0x10401000u + 4u * PICA_REG_DEPTH_COLOR_MASK };

/* Something of the previous case is left. */
static void dirty_load(void *instance, uint32_t loads)
{
    const struct pica_operation write = { .kind = PICA_OPERATION_WRITE_REGISTER,
                                          .address = 0x10401000u + 4u * PICA_REG_UNUSED_045,
                                          .words = { loads } };
    (void)ref_backend()->run(instance, &write);
}

/* Which instance has what options: the checks create a handful. */
static struct {
    const void *instance;
    uint32_t threads, capacity;
} created[64];
static size_t created_count;

static void threads_show(void *instance, uint32_t loads)
{
    (void)loads;
    for (size_t i = 0; i < created_count; i++)
        if (created[i].instance == instance)
            dirty_load(instance, created[i].threads);
}

static void capacity_shows(void *instance, uint32_t loads)
{
    (void)loads;
    for (size_t i = 0; i < created_count; i++)
        if (created[i].instance == instance)
            dirty_load(instance, created[i].capacity);
}

const struct fault capacity_fault = { "invariant", "the capacity shows", NULL, NULL, NULL, capacity_shows };

const struct fault faults[] = {
    { "deterministic", "a load leaves something of the case before", NULL, NULL, NULL, dirty_load },
    { "invariant", "the number of threads shows", NULL, NULL, NULL, threads_show },
    { "after-the-stop", "the interrupt does not stop the list", NULL, NULL, &autostop_off, NULL },
    { "two-lists", "a register is lost between lists", NULL, NULL, &forget_mask, NULL },
    { "one-by-one", "consecutive mode with three or more parameters writes one register", short_runs, NULL, NULL,
      NULL },
    { "joined", "consecutive mode with three or more parameters writes one register", short_runs, NULL, NULL, NULL },
    { "header-noise", "the count of parameters has 11 bits", count_of_11_bits, NULL, NULL, NULL },
    { "byte-by-byte", "byte masks are ignored", no_masks, NULL, NULL, NULL },
    { "overwritten", "only the first write of a list to a register counts", first_write_wins, NULL, NULL, NULL },
    { "redundant", "a write of the present value clears the register", same_value_clears, NULL, NULL, NULL },
    { "reordered", "a write to the register below the last one is lost", descending_ids, NULL, NULL, NULL },
    { "port-alias", "ports have one id only", one_alias, NULL, NULL, NULL },
    { "moved-list", "lists at high addresses are not run", NULL, no_high_lists, NULL, NULL },
    { "jump", "jumps through channel 1 are not taken", no_jump, NULL, NULL, NULL },
    { "split-arrays", "the vertex offset is ignored", no_vertex_offset, NULL, NULL, NULL },
    { "split-elements", "the offset of the indices is ignored", no_index_offset, NULL, NULL, NULL },
    { "empty-draw", "no vertices are three", zero_is_three, NULL, NULL, NULL },
    { "arrays-as-bytes", "8-bit and 16-bit indices are exchanged", index_type_inverted, NULL, NULL, NULL },
    { "arrays-as-halfwords", "indices have 8 bits", indices_are_bytes, NULL, NULL, NULL },
    { "index-width", "indices have 8 bits", indices_are_bytes, NULL, NULL, NULL },
    { "strip-as-list", "strips are drawn as fans", strips_are_fans, NULL, NULL, NULL },
    { "fan-as-list", "fans are drawn as strips", fans_are_strips, NULL, NULL, NULL },
    { "scissor-pieces", "the second corner of the scissor box is outside", exclusive_corner, NULL, NULL, NULL },
    { "moved-vertices", "offsets of arrays have 24 bits", offset_of_24_bits, NULL, NULL, NULL },
    { "float-vertices", "unsigned bytes have a sign", bytes_have_signs, NULL, NULL, NULL },
    { "gathered-vertices", "8-bit and 16-bit indices are exchanged", index_type_inverted, NULL, NULL, NULL },
    { "off-registers", "the alpha test cannot be switched off", alpha_test_always, NULL, NULL, NULL },
    { "unused-bits", "the viewport is no 24-bit number", viewport_of_32_bits, NULL, NULL, NULL },
    { "constant-texture", "textures with border or mirroring are not shown", no_border, NULL, NULL, NULL },
    { "moved-texture", "textures at high addresses are not found", no_far_textures, NULL, NULL, NULL },
    { "uniform-format", "uniforms are float24 always", float24_only, NULL, NULL, NULL },
    { "shader-detour", "conditional jumps are not taken", never_jumping, NULL, NULL, NULL },
    { "split-fill", "fills start at multiples of 64 bytes", NULL, fills_of_64_bytes, NULL, NULL },
    { "fill-width", "32-bit fills are 24-bit fills", NULL, no_32_bit_fills, NULL, NULL },
    { "transfer-bands", "transfers turn the picture upside down", NULL, transfers_are_upside_down, NULL, NULL },
    { "split-copy", "copies end at multiples of 64 bytes", NULL, copies_of_64_bytes, NULL, NULL },
    { "identity-copy", "copies in place move", NULL, copies_in_place_move, NULL, NULL },
};
const size_t fault_count = sizeof faults / sizeof faults[0];

/* ------------------------------------------------------------------------------------------------------ the backend */

static const struct fault *present;
static uint32_t loads;

/* The list as the fault understands it; its length stays. */
static void change_list(uint32_t *words, uint32_t count)
{
    static uint32_t parameters[256];
    last_id = 0;
    memset(seen, 0, sizeof seen);
    for (uint32_t at = 0; at + 2 <= count;) {
        const uint32_t extra = pica_command_header_extra_parameters(words[at + 1]);
        if (at + 2 + extra > count)
            return;
        parameters[0] = words[at];
        memcpy(parameters + 1, words + at + 2, extra * sizeof *words);
        present->command(&words[at + 1], parameters, extra + 1);
        words[at] = parameters[0];
        memcpy(words + at + 2, parameters + 1, extra * sizeof *words);
        at += 2 + extra + extra % 2;
    }
}

static enum pica_status load_bytes(void *instance, uint32_t address, const void *bytes, uint32_t size)
{
    const struct pica_operation load = {
        .kind = PICA_OPERATION_LOAD_MEMORY, .address = address, .size = size, .data = bytes
    };
    return ref_backend()->run(instance, &load);
}

/* Lists of little-endian words; the tests run where the host is so too. */
static enum pica_status submit(void *instance, const struct pica_operation *operation)
{
    const uint32_t size = operation->size & ~15u;
    if (present->before != NULL)
        (void)ref_backend()->run(instance, present->before);
    if (present->command == NULL || size == 0 || size > MAX_LIST)
        return ref_backend()->run(instance, operation);
    uint8_t *const original = malloc(size);
    uint32_t *const changed = malloc(size);
    if (original == NULL || changed == NULL)
        abort();
    (void)ref_backend()->read_memory(instance, operation->address & ~15u, original, size);
    memcpy(changed, original, size);
    change_list(changed, size / 4);
    (void)load_bytes(instance, operation->address & ~15u, changed, size);
    const enum pica_status status = ref_backend()->run(instance, operation);
    (void)load_bytes(instance, operation->address & ~15u, original, size);
    free(original);
    free(changed);
    return status;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    struct pica_operation changed = *operation;
    if (present->operation != NULL)
        present->operation(&changed);
    return changed.kind == PICA_OPERATION_SUBMIT_LIST ? submit(instance, &changed)
                                                      : ref_backend()->run(instance, &changed);
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    const enum pica_status status = ref_backend()->load(instance, setup);
    if (status == PICA_OK && present->loaded != NULL)
        present->loaded(instance, loads++);
    return status;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const enum pica_status status = ref_backend()->create(options, instance);
    if (status == PICA_OK && created_count < sizeof created / sizeof created[0]) {
        created[created_count].instance = *instance;
        created[created_count].capacity = (options->flags & PICA_OPTION_CAPACITY) != 0 ? options->capacity : 0;
        created[created_count++].threads = options->threads;
    }
    return status;
}

const struct pica_backend *faulty_backend(const struct fault *fault)
{
    static struct pica_backend backend;
    backend = *ref_backend();
    backend.name = "faulty";
    backend.summary = fault->bug;
    backend.create = create;
    backend.load = load;
    backend.run = run;
    present = fault;
    loads = 0;
    created_count = 0;
    return &backend;
}
