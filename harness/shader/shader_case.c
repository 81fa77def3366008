#include "harness/shader/shader_case.h"

#include "harness/case/formats.h"
#include "harness/case/numbers.h"
#include "pica/regs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    VERTICES = 0x18001000, /* of the first draw */
    VERTICES_STEP = 0x400,
    LIST = 0x18008000,
    LATER_LISTS = 0x18010000,
    LIST_STEP = 0x2000,
    OUTPUTS = 7 /* SH_OUTMAP_O0 to O6 */
};

_Static_assert(HARNESS_SHADER_VERTICES *HARNESS_SHADER_INPUTS * 16 <= VERTICES_STEP, "vertices of a draw");
_Static_assert(VERTICES + HARNESS_SHADER_DRAWS * VERTICES_STEP <= LIST, "vertices of all draws");

/* ---------------------------------------------------------------------------------------------------------- values */

static const uint32_t ONE = 0x3F800000u;

static void set_identity(struct harness_shader_values *values, uint32_t first)
{
    for (uint32_t k = 0; k < 4; k++) {
        values->is_set[first + k] = values->is_made_up[first + k] = true;
        for (uint32_t c = 0; c < 4; c++)
            values->floats[first + k][c] = c == k ? ONE : 0;
    }
}

static void set_constant(struct harness_shader_values *values, const struct harness_shader_constant *constant)
{
    if (constant->bank == 'b') {
        const uint16_t bit = (uint16_t)(1u << constant->number);
        values->booleans = (uint16_t)(constant->words[0] != 0 ? values->booleans | bit : values->booleans & ~bit);
    }
    for (uint32_t c = 0; c < 4 && constant->bank == 'i'; c++)
        values->integers[constant->number][c] = (uint8_t)constant->words[c];
    if (constant->bank != 'c')
        return;
    values->is_set[constant->number] = values->is_float24[constant->number] = true;
    values->is_made_up[constant->number] = false;
    memcpy(values->floats[constant->number], constant->words, sizeof constant->words);
}

static uint32_t first_input(const struct harness_shader_program *program)
{
    uint32_t input = 0;
    while (input < 15 && (program->input_mask >> input & 1u) == 0)
        input++;
    return input;
}

void harness_shader_values_init(const struct harness_shader_program *program, struct harness_shader_values *out)
{
    /* -1 -1, 3 -1, -1 3: the buffer is -1 to 1; -0.5 lies between the depth planes. */
    static const uint32_t corners[HARNESS_SHADER_CORNERS][4] = { { 0xBF800000, 0xBF800000, 0xBF000000, 0x3F800000 },
                                                                 { 0x40400000, 0xBF800000, 0xBF000000, 0x3F800000 },
                                                                 { 0xBF800000, 0x40400000, 0xBF000000, 0x3F800000 } };
    static const uint32_t other[4] = { 0x3E800000, 0x3F000000, 0x3F400000, 0x3F800000 };
    *out = (struct harness_shader_values){ .made_up_inputs = 0xFFFF };
    for (uint32_t input = 0; input < 16; input++)
        for (uint32_t corner = 0; corner < HARNESS_SHADER_CORNERS; corner++)
            memcpy(out->inputs[input][corner], input == first_input(program) ? corners[corner] : other, sizeof other);
    for (uint32_t i = 0; i < program->name_count; i++)
        if (program->names[i].bank == 'c' && program->names[i].last - program->names[i].first == 3)
            set_identity(out, program->names[i].first);
    for (uint32_t i = 0; i < program->constant_count; i++)
        set_constant(out, &program->constants[i]);
}

/* A number as bits: "0.5", "-1e20", "inf", "nan", "0x7F800001". False: it is none. */
static bool take_number(const char *text, size_t length, uint32_t *bits)
{
    char copy[64];
    char *end = NULL;
    if (length == 0 || length >= sizeof copy || text[0] <= ' ')
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (strncmp(copy, "0x", 2) == 0) {
        const unsigned long raw = strtoul(copy + 2, &end, 16);
        *bits = (uint32_t)raw;
        return length > 2 && length <= 10 && copy[2] != '-' && copy[2] != '+' && *end == '\0';
    }
    if (strcmp(copy, "nan") == 0) {
        *bits = HARNESS_F32_NAN;
        return true;
    }
    if (strpbrk(copy, "xXpP(") != NULL)
        return false;
    *bits = harness_float_raw(HARNESS_FLOAT32, strtod(copy, &end));
    return *end == '\0';
}

/* One "REGISTER=VALUE" being read. */
struct assignment {
    const char *what, *text;
    const char *at; /* what is left of the value */
    struct harness_error *error;
};

static enum harness_status expected(const struct assignment *assignment, const char *what)
{
    return harness_fail(assignment->error, HARNESS_BAD_INPUT, "--%s %.100s: expected %s, found '%.*s'",
                        assignment->what, assignment->text, what, (int)strcspn(assignment->at, ",/"), assignment->at);
}

/* Numbers with commas up to the end or "/". */
static enum harness_status take_vector(struct assignment *assignment, uint32_t out[4])
{
    static const uint32_t missing[4] = { 0, 0, 0, 0x3F800000 };
    memcpy(out, missing, sizeof missing);
    for (uint32_t c = 0;; c++) {
        const size_t length = strcspn(assignment->at, ",/");
        if (c == 4 || !take_number(assignment->at, length, &out[c]))
            return expected(assignment,
                            c == 4 ? "at most 4 numbers" : "a number, as 0.5, -1e20, inf, nan or 0x7F800000");
        assignment->at += length;
        if (*assignment->at != ',')
            return HARNESS_OK;
        assignment->at++;
    }
}

/* Vectors with "/" up to the end; how many there were. */
static enum harness_status take_vectors(struct assignment *assignment, uint32_t (*out)[4], uint32_t most,
                                        uint32_t *count)
{
    for (*count = 0;; assignment->at++) {
        if (*count == most)
            return harness_fail(assignment->error, HARNESS_BAD_INPUT,
                                "--%s %.100s: expected at most %" PRIu32 " vector%s with / between them",
                                assignment->what, assignment->text, most, most == 1 ? "" : "s");
        const enum harness_status status = take_vector(assignment, out[(*count)++]);
        if (status != HARNESS_OK || *assignment->at == '\0')
            return status;
    }
}

static enum harness_status set_input(struct assignment *assignment, uint32_t number,
                                     struct harness_shader_values *values)
{
    uint32_t count;
    uint32_t(*const corners)[4] = values->inputs[number];
    const enum harness_status status = take_vectors(assignment, corners, HARNESS_SHADER_CORNERS, &count);
    for (uint32_t i = count; status == HARNESS_OK && i < HARNESS_SHADER_CORNERS; i++)
        memcpy(corners[i], corners[count - 1], sizeof corners[0]);
    values->made_up_inputs &= ~((uint32_t)1 << number);
    return status;
}

static enum harness_status set_floats(struct assignment *assignment, uint32_t number, uint32_t most,
                                      struct harness_shader_values *values)
{
    uint32_t count;
    const enum harness_status status = take_vectors(assignment, values->floats + number, most, &count);
    for (uint32_t i = 0; i < count && status == HARNESS_OK; i++) {
        values->is_set[number + i] = true;
        values->is_float24[number + i] = values->is_made_up[number + i] = false;
    }
    return status;
}

static enum harness_status set_integers(struct assignment *assignment, uint8_t out[4])
{
    memset(out, 0, 4);
    for (uint32_t c = 0; c < 4; c++) {
        char *end = NULL;
        const unsigned long value = strtoul(assignment->at, &end, 10);
        if (assignment->at[0] < '0' || assignment->at[0] > '9' || value > 255 || (*end != ',' && *end != '\0'))
            return expected(assignment, "1 to 4 numbers 0-255");
        out[c] = (uint8_t)value;
        assignment->at = end;
        if (*end == '\0')
            return HARNESS_OK;
        assignment->at++;
    }
    return expected(assignment, "at most 4 numbers 0-255");
}

static enum harness_status set_boolean(const struct assignment *assignment, uint32_t number,
                                       struct harness_shader_values *values)
{
    const uint16_t bit = (uint16_t)(1u << number);
    if (strcmp(assignment->at, "true") == 0 || strcmp(assignment->at, "1") == 0)
        values->booleans |= bit;
    else if (strcmp(assignment->at, "false") == 0 || strcmp(assignment->at, "0") == 0)
        values->booleans = (uint16_t)(values->booleans & ~bit);
    else
        return expected(assignment, "true or false");
    return HARNESS_OK;
}

enum harness_status harness_shader_values_set(const struct harness_shader_program *program, const char *what,
                                              const char *text, struct harness_shader_values *values,
                                              struct harness_error *error)
{
    const bool is_input = strcmp(what, "input") == 0;
    const char *const equals = strchr(text, '=');
    struct harness_shader_register found = { .count = 0 };
    if (equals == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "--%s %.100s: expected REGISTER=VALUE", what, text);
    const size_t length = (size_t)(equals - text);
    if (!harness_shader_find_register(program, text, length, &found) || (found.bank == 'v') != is_input)
        return harness_fail(error, HARNESS_BAD_INPUT, "--%s %.100s: expected %s, found '%.*s'", what, text,
                            is_input ? "v0 to v15, or the name of an input"
                                     : "c0 to c95, i0 to i3, b0 to b15, or the name of a uniform",
                            (int)length, text);
    struct assignment assignment = { what, text, equals + 1, error };
    switch (found.bank) {
    case 'v': return set_input(&assignment, found.number, values);
    case 'c': return set_floats(&assignment, found.number, found.count, values);
    case 'i':
        values->given_integers |= (uint32_t)1 << found.number;
        return set_integers(&assignment, values->integers[found.number]);
    default:
        values->given_booleans |= (uint32_t)1 << found.number;
        return set_boolean(&assignment, found.number, values);
    }
}

/* ------------------------------------------------------------------------------------------------------------ text */

/* Bits of the mask, lowest first; returns how many. */
static uint32_t take_bits(uint32_t mask, uint32_t out[16])
{
    uint32_t count = 0;
    for (uint32_t k = 0; k < 16; k++)
        if ((mask >> k & 1u) != 0)
            out[count++] = k;
    return count;
}

static bool is_geometry(const struct harness_shader_program *program)
{
    return program->unit == PICA_UNIT_GEOMETRY;
}

/* What the names of its registers begin with. */
static const char *unit_of(const struct harness_shader_program *program)
{
    return is_geometry(program) ? "GSH" : "VSH";
}

/* A draw has at least one attribute. */
static uint32_t take_inputs(const struct harness_shader_program *program, uint32_t out[16])
{
    return take_bits(program->input_mask != 0 ? program->input_mask : 1, out);
}

enum harness_status harness_shader_can_draw(const struct harness_shader_program *program, const char *name,
                                            struct harness_error *error)
{
    uint32_t bits[16];
    const uint32_t inputs = take_bits(program->input_mask, bits), outputs = take_bits(program->output_mask, bits);
    if (is_geometry(program) && program->geometry_mode != 0)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "%.200s: a geometry shader of mode %" PRIu32
                            " is shown, but not run: it has no inputs, but "
                            "whole vertices in uniforms",
                            name, program->geometry_mode);
    if (inputs > HARNESS_SHADER_INPUTS)
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "%.200s: expected at most 12 inputs, as a draw can give, found %" PRIu32, name, inputs);
    if (outputs == 0)
        return harness_fail(error, HARNESS_BAD_INPUT, "%.200s: expected a program that writes an output, found none",
                            name);
    return HARNESS_OK;
}

static void add_head(const struct harness_shader_draws *draws, struct harness_text *out)
{
    const uint32_t later = draws->count > 1 ? (draws->count - 1) * LIST_STEP : 0;
    harness_text_format(out, "# The %s shader ",
                        is_geometry(&draws->file->programs[draws->program]) ? "geometry" : "vertex");
    harness_shader_add_path(draws->name, out);
    harness_text_format(out, ", its program %" PRIu32 ", and a draw around it.\npcase 1\n", draws->program);
    harness_text_add(out, draws->profile == PICA_PROFILE_F24 ? "profile f24\n" : "");
    harness_text_format(out,
                        "window 0x18000000 size 0x%" PRIX32 "\n\n# grey: untouched pixels\n"
                        "memory 0x%08X fill 0x%08X size 0x100\n",
                        0x10000u + later, (unsigned)HARNESS_SHADER_TARGET, (unsigned)HARNESS_SHADER_UNTOUCHED);
}

static void add_vector(struct harness_float_format format, const uint32_t bits[4], struct harness_text *out)
{
    char number[HARNESS_NUMBER_TEXT];
    for (uint32_t c = 0; c < 4; c++) {
        harness_float_print(number, format, bits[c]);
        harness_text_format(out, "%s%s", c == 0 ? "" : " ", number);
    }
}

static void add_vertices(const struct harness_shader_draws *draws, uint32_t draw, struct harness_text *out)
{
    const struct harness_shader_program *const program = &draws->file->programs[draws->program];
    uint32_t inputs[16];
    const uint32_t count = take_inputs(program, inputs);
    harness_text_add(out, "# a row for each vertex:");
    for (uint32_t i = 0; i < count; i++) {
        harness_text_format(out, "%s v%" PRIu32, i == 0 ? "" : ",", inputs[i]);
        harness_shader_add_name(program, 'v', inputs[i], out);
    }
    harness_text_format(out, "\nmemory 0x%08" PRIX32 " table", (uint32_t)VERTICES + draw * VERTICES_STEP);
    for (uint32_t i = 0; i < count; i++)
        harness_text_add(out, " f32*4");
    harness_text_add(out, " {\n");
    for (uint32_t vertex = 0; vertex < HARNESS_SHADER_VERTICES; vertex++) {
        harness_text_add(out, "   ");
        for (uint32_t i = 0; i < count; i++) {
            harness_text_add(out, " ");
            add_vector(HARNESS_FLOAT32, draws->values[draw].inputs[inputs[i]][vertex % HARNESS_SHADER_CORNERS], out);
        }
        harness_text_add(out, "\n");
    }
    harness_text_add(out, "}\n");
}

static const char target[] =
    "    # target: 8x8 RGBA8\n"
    "    COLORBUFFER_FORMAT { pixel_size = 32-bit, format = rgba8 }\n"
    "    COLORBUFFER_LOC { address = 0x18000000 }\n"
    "    FRAMEBUFFER_DIM { width = 8, height_minus_1 = 7, top_row_first = 1 }\n"
    "    RENDERBUF_DIM { width = 8, height_minus_1 = 7 }\n"
    "    COLORBUFFER_READ consecutive {\n"
    "        COLORBUFFER_READ { enable = 0xF }\n"
    "        COLORBUFFER_WRITE { enable = 0xF }\n"
    "    }\n"
    "    VIEWPORT_WIDTH { half_size = 4.0 }\n"
    "    VIEWPORT_INVW { inverse = 0.25 }\n"
    "    VIEWPORT_HEIGHT { half_size = 4.0 }\n"
    "    VIEWPORT_INVH { inverse = 0.25 }\n"
    "    DEPTHMAP_ENABLE { z_buffer = 1 }\n"
    "    DEPTHMAP_SCALE { scale = -1 }\n"
    "    COLOR_OPERATION { blend_mode = blend }\n"
    "    BLEND_FUNC { rgb_source = one, alpha_source = one }\n"
    "    DEPTH_COLOR_MASK { red_write = 1, green_write = 1, blue_write = 1, alpha_write = 1 }\n"
    "    TEXENV5_SOURCE { rgb_source0 = primary-color, alpha_source0 = primary-color }\n";

/* VTX-01 to VTX-12: one array of all inputs, each an attribute of four floats. */
static void add_attributes(const struct harness_shader_program *program, struct harness_text *out)
{
    uint32_t inputs[16];
    const uint32_t count = take_inputs(program, inputs);
    uint64_t formats = 0, components = 0, permutation = 0;
    for (uint32_t i = 0; i < count; i++) {
        formats |= UINT64_C(0xF) << (4 * i);
        components |= (uint64_t)i << (4 * i);
        permutation |= (uint64_t)inputs[i] << (4 * i);
    }
    harness_text_format(out,
                        "    # inputs: attribute i is the i-th of them\n"
                        "    ATTRIBBUFFERS_LOC { base = 0x18000000 }\n"
                        "    ATTRIBBUFFERS_FORMAT_LOW = 0x%08" PRIX32 "\n"
                        "    ATTRIBBUFFERS_FORMAT_HIGH = 0x%08" PRIX32 "\n"
                        "    ATTRIBBUFFER0_CONFIG1 = 0x%08" PRIX32 "\n"
                        "    ATTRIBBUFFER0_CONFIG2 = 0x%08" PRIX32 "\n"
                        "    VSH_NUM_ATTR { attributes_minus_1 = %" PRIu32 " }\n"
                        "    VSH_INPUTBUFFER_CONFIG { inputs_minus_1 = %" PRIu32 ", unit_use = 0xA0 }\n"
                        "    VSH_ATTRIBUTES_PERMUTATION_LOW = 0x%08" PRIX32 "\n"
                        "    VSH_ATTRIBUTES_PERMUTATION_HIGH = 0x%08" PRIX32 "\n",
                        (uint32_t)formats, (uint32_t)(formats >> 32) | (count - 1) << 28, (uint32_t)components,
                        (uint32_t)(components >> 32) | count * 16 << 16 | count << 28, count - 1, count - 1,
                        (uint32_t)permutation, (uint32_t)(permutation >> 32));
}

/* SHD-80: the semantics of one output register. */
static uint32_t output_map(const struct harness_shader_program *program, uint32_t number)
{
    uint32_t word = 0x1F1F1F1F;
    for (uint32_t i = 0; i < program->output_count; i++)
        for (uint32_t c = 0; c < 4 && program->outputs[i].number == number; c++)
            if ((program->outputs[i].mask >> c & 1u) != 0)
                word = (word & ~((uint32_t)0x1F << (8 * c))) | harness_shader_semantic(program->outputs[i].meaning, c)
                                                                   << (8 * c);
    return word;
}

/* REG-44: a console may want to be told what there is. */
static uint32_t clocks(uint32_t map)
{
    uint32_t word = 0;
    for (uint32_t c = 0; c < 4; c++) {
        const uint32_t semantic = map >> (8 * c) & 0x1Fu;
        word |= semantic == 2                                                            ? 1u
                : semantic >= 8 && semantic <= 11                                        ? 1u << 1
                : semantic == 12 || semantic == 13                                       ? 1u << 8
                : semantic == 14 || semantic == 15                                       ? 1u << 9
                : semantic == 22 || semantic == 23                                       ? 1u << 10
                : semantic == 16                                                         ? 1u << 16
                : (semantic >= 4 && semantic <= 7) || (semantic >= 18 && semantic <= 20) ? 1u << 24
                                                                                         : 0;
    }
    return word;
}

static void add_outputs(const struct harness_shader_program *program, struct harness_text *out)
{
    uint32_t numbers[16], inputs[16], clock = 0;
    const uint32_t enabled = take_bits(program->output_mask, numbers);
    const uint32_t count = enabled < OUTPUTS ? enabled : (uint32_t)OUTPUTS;
    const uint32_t given = is_geometry(program) ? take_inputs(program, inputs) : count; /* by the vertex program */
    harness_text_format(out,
                        "    # outputs\n"
                        "    %s_OUTMAP_MASK = 0x%08" PRIX32 "\n"
                        "    SH_OUTMAP_TOTAL { total = %" PRIu32 " }\n",
                        unit_of(program), program->output_mask, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t map = output_map(program, numbers[i]);
        harness_text_format(out, "    SH_OUTMAP_O%" PRIu32 " = 0x%08" PRIX32 "\n", i, map);
        clock |= clocks(map);
    }
    harness_text_format(out,
                        "    VSH_OUTMAP_TOTAL1 { outputs_minus_1 = %" PRIu32 " }\n"
                        "    VSH_OUTMAP_TOTAL2 { outputs_minus_1 = %" PRIu32 " }\n"
                        "    SH_OUTATTR_MODE { use_texcoords = %" PRIu32 " }\n"
                        "    SH_OUTATTR_CLOCK = 0x%08" PRIX32 "\n"
                        "    PRIMITIVE_CONFIG { outputs_minus_1 = %" PRIu32 "%s }\n",
                        given - 1, given - 1, (uint32_t)((clock & 0x10700u) != 0), clock, count - 1,
                        is_geometry(program) ? ", topology = geometry" : "");
}

/* GSH-10: before a geometry program stands a vertex program that passes its inputs on, so each vertex runs it once. */
static void add_passing(const struct harness_shader_program *program, struct harness_text *out)
{
    uint32_t inputs[16];
    const uint32_t count = take_inputs(program, inputs);
    uint64_t permutation = 0;
    harness_text_add(out, "    # each vertex is the input of the geometry shader\n"
                          "    VSH_COM_MODE { separate_geometry = 1 }\n"
                          "    GEOSTAGE_CONFIG { mode = geometry-shader }\n"
                          "    shader vertex {\n");
    for (uint32_t i = 0; i < count; i++) {
        permutation |= (uint64_t)inputs[i] << (4 * i);
        harness_text_format(out, "        mov o%" PRIu32 ", v%" PRIu32 "\n", i, inputs[i]);
    }
    harness_text_format(out,
                        "        end\n"
                        "    }\n"
                        "    VSH_OUTMAP_MASK = 0x%08" PRIX32 "\n"
                        "    GSH_INPUTBUFFER_CONFIG { inputs_minus_1 = %" PRIu32 ", unit_use = 8 }\n"
                        "    GSH_ATTRIBUTES_PERMUTATION_LOW = 0x%08" PRIX32 "\n"
                        "    GSH_ATTRIBUTES_PERMUTATION_HIGH = 0x%08" PRIX32 "\n",
                        ((uint32_t)1 << count) - 1, count - 1, (uint32_t)permutation, (uint32_t)(permutation >> 32));
}

/* The index goes on counting from one command to the next. */
static void add_words(const char *unit, const char *port, const uint32_t *words, uint32_t count,
                      struct harness_text *out)
{
    harness_text_format(out, "    %s_%s_INDEX = 0", unit, port);
    for (uint32_t i = 0; i < count; i++) {
        if (i % HARNESS_MAX_PARAMETERS == 0)
            harness_text_format(out, "%s\n    %s_%s_DATA0 repeat {", i == 0 ? "" : "\n    }", unit, port);
        harness_text_format(out, "%s0x%08" PRIX32, i % 8 == 0 ? "\n        " : " ", words[i]);
    }
    harness_text_add(out, "\n    }\n");
}

static void add_code(const struct harness_shader_draws *draws, struct harness_text *out)
{
    const struct harness_shader_file *const file = draws->file;
    const char *const unit = unit_of(&file->programs[draws->program]);
    harness_text_add(out, "    # the program\n");
    if (file->code_count != 0)
        add_words(unit, "CODETRANSFER", file->code, file->code_count, out);
    harness_text_format(out, "    %s_CODETRANSFER_END = 1\n", unit);
    if (file->descriptor_count != 0)
        add_words(unit, "OPDESCS", file->descriptors.words, file->descriptor_count, out);
    harness_text_format(out, "    %s_ENTRYPOINT = 0x%08" PRIX32 "\n", unit,
                        0x7FFF0000u | (file->programs[draws->program].entry & 0xFFFFu));
}

/* c registers that follow each other and have the same form go together, as many as a command has room for. */
static uint32_t add_floats(const struct harness_shader_program *program, const struct harness_shader_values *values,
                           uint32_t first, struct harness_text *out)
{
    const bool is_float24 = values->is_float24[first];
    uint32_t last = first;
    while (last < 95 && last - first + 1 < HARNESS_MAX_PARAMETERS / 4 && values->is_set[last + 1] &&
           values->is_float24[last + 1] == is_float24)
        last++;
    harness_text_add(out, "    #");
    for (uint32_t k = first; k <= last; k++) {
        harness_text_format(out, "%s c%" PRIu32, k == first ? "" : ",", k);
        harness_shader_add_name(program, 'c', k, out);
    }
    harness_text_format(out,
                        "\n    %s_FLOATUNIFORM_INDEX { index = %" PRIu32 ", format = %s }\n"
                        "    %s_FLOATUNIFORM_DATA0 repeat %s {\n",
                        unit_of(program), first, is_float24 ? "float24" : "float32", unit_of(program),
                        is_float24 ? "f24" : "f32");
    for (uint32_t k = first; k <= last; k++) {
        harness_text_add(out, "        ");
        add_vector(is_float24 ? HARNESS_FLOAT24 : HARNESS_FLOAT32, values->floats[k], out);
        harness_text_add(out, "\n");
    }
    harness_text_add(out, "    }\n");
    return last;
}

static void add_uniforms(const struct harness_shader_program *program, const struct harness_shader_values *values,
                         struct harness_text *out)
{
    for (uint32_t k = 0; k < 96; k++)
        if (values->is_set[k])
            k = add_floats(program, values, k, out);
    for (uint32_t i = 0; i < 4; i++)
        harness_text_format(out, "    %s_INTUNIFORM_I%" PRIu32 " { x = %u, y = %u, z = %u, w = %u }\n",
                            unit_of(program), i, values->integers[i][0], values->integers[i][1], values->integers[i][2],
                            values->integers[i][3]);
    harness_text_format(out, "    %s_BOOLUNIFORM = 0x%08X\n", unit_of(program), 0x7FFF0000u | values->booleans);
}

static void add_draw(uint32_t draw, struct harness_text *out)
{
    harness_text_format(out,
                        "    ATTRIBBUFFER0_OFFSET = 0x%" PRIX32 "\n"
                        "    # three corners; two more vertices stay in the primitive assembler, for who looks there\n"
                        "    NUMVERTICES { count = %d }\n"
                        "    RESTART_PRIMITIVE = 1\n"
                        "    GEOSTAGE_CONFIG2 mask 0x1 { drawing = 1 }\n"
                        "    START_DRAW_FUNC0 mask 0x1 { mode = draw }\n"
                        "    DRAWARRAYS = 1\n"
                        "    START_DRAW_FUNC0 mask 0x1 { mode = configure }\n"
                        "    GEOSTAGE_CONFIG2 mask 0x1 = 0\n"
                        "    FINALIZE = 0x12345678\n"
                        "}\n",
                        (uint32_t)VERTICES - 0x18000000u + draw * VERTICES_STEP, HARNESS_SHADER_VERTICES);
}

static void add_run(const struct harness_shader_draws *draws, uint32_t draw, struct harness_text *out)
{
    const struct harness_shader_program *const program = &draws->file->programs[draws->program];
    const uint32_t address = draw == 0 ? (uint32_t)LIST : (uint32_t)LATER_LISTS + (draw - 1) * LIST_STEP;
    harness_text_format(out, "\nrun 0x%08" PRIX32 " {\n", address);
    if (draw == 0) {
        harness_text_add(out, target);
        add_attributes(program, out);
        if (is_geometry(program))
            add_passing(program, out);
        add_outputs(program, out);
        add_code(draws, out);
    }
    harness_text_add(out, "    # uniforms\n");
    add_uniforms(program, &draws->values[draw], out);
    add_draw(draw, out);
}

enum harness_status harness_shader_case(const struct harness_shader_draws *draws, struct harness_case *out,
                                        struct harness_error *error)
{
    struct harness_text text = { 0 };
    enum harness_status status = harness_shader_can_draw(&draws->file->programs[draws->program], draws->name, error);
    if (status != HARNESS_OK)
        return status;
    add_head(draws, &text);
    for (uint32_t draw = 0; draw < draws->count; draw++)
        add_vertices(draws, draw, &text);
    for (uint32_t draw = 0; draw < draws->count; draw++)
        add_run(draws, draw, &text);
    status = text.failed ? harness_fail_memory(error)
                         : harness_pcase_read(out, harness_text_string(&text), text.size, draws->name, error);
    harness_text_free(&text);
    return status;
}
