#include "harness/shader/shader_vary.h"

#include "harness/case/numbers.h"
#include "harness/grammar/random.h"
#include "pica/enums.h"

#include <string.h>

/* Of code whose file names no uniforms: what its instructions name; with an index all. */
static void find_in_code(const struct harness_shader_file *file, struct harness_shader_varied *out)
{
    uint32_t number;
    bool is_indexed;
    out->integers = 0xF;
    out->booleans = 0xFFFF;
    for (uint32_t i = 0; i < 3 * file->code_count; i++) {
        if (!harness_shader_source(file->code[i / 3], i % 3, &number, &is_indexed) || number < PICA_SHADER_SOURCE_C0)
            continue;
        out->floats[number - PICA_SHADER_SOURCE_C0] = true;
        if (is_indexed)
            memset(out->floats, true, sizeof out->floats);
    }
}

static void find_registers(const struct harness_shader_file *file, const struct harness_shader_program *program,
                           struct harness_shader_varied *out)
{
    bool has_names = false;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < program->name_count; i++) {
        const struct harness_shader_name *const name = &program->names[i];
        has_names = has_names || name->bank == 'c' || name->bank == 'i' || name->bank == 'b';
        for (uint32_t k = name->first; k <= name->last && name->bank != '?'; k++) {
            if (name->bank == 'c')
                out->floats[k] = true;
            out->integers |= name->bank == 'i' ? (uint32_t)1 << k : 0;
            out->booleans |= name->bank == 'b' ? (uint32_t)1 << k : 0;
        }
    }
    if (!has_names)
        find_in_code(file, out);
    for (uint32_t i = 0; i < program->constant_count; i++) {
        const uint32_t number = program->constants[i].number;
        if (program->constants[i].bank == 'c')
            out->floats[number] = false;
        out->integers &= ~(program->constants[i].bank == 'i' ? (uint32_t)1 << number : 0);
        out->booleans &= ~(program->constants[i].bank == 'b' ? (uint32_t)1 << number : 0);
    }
}

/* Mostly what programs compute with, a quarter of everything. */
static uint32_t draw_number(struct harness_random *random)
{
    const uint32_t kind = harness_random_below(random, 100);
    if (kind < 25)
        return harness_random_f32(random);
    const float value = kind < 40   ? (float)harness_random_below(random, 9) - 4.0f
                        : kind < 65 ? harness_random_float(random, 0.0f, 1.0f)
                        : kind < 95 ? harness_random_float(random, -4.0f, 4.0f)
                                    : harness_random_float(random, -1000.0f, 1000.0f);
    return harness_f32_bits(value);
}

static void draw_vector(struct harness_random *random, uint32_t out[4])
{
    const bool is_repeated = harness_random_percent(random, 10);
    for (uint32_t c = 0; c < 4; c++)
        out[c] = is_repeated && c > 0 ? out[0] : draw_number(random);
}

static void draw_values(struct harness_random *random, const struct harness_shader_program *program,
                        struct harness_shader_values *out)
{
    const struct harness_shader_varied *const registers = &program->varied;
    const bool keeps_position = harness_random_percent(random, 50);
    const bool is_even = harness_random_percent(random, 50); /* all corners alike: the colour is a value that is read */
    bool is_first = true;
    harness_shader_values_init(program, out);
    for (uint32_t k = 0; k < 16; k++) {
        const bool stays = is_first && keeps_position;
        is_first = is_first && (program->input_mask >> k & 1u) == 0;
        for (uint32_t corner = 0; corner < HARNESS_SHADER_CORNERS && (program->input_mask >> k & 1u) != 0 && !stays;
             corner++) {
            if (corner > 0 && is_even)
                memcpy(out->inputs[k][corner], out->inputs[k][0], sizeof out->inputs[k][0]);
            else
                draw_vector(random, out->inputs[k][corner]);
        }
    }
    for (uint32_t k = 0; k < 96; k++) {
        if (!registers->floats[k] || (keeps_position && out->is_made_up[k]))
            continue;
        out->is_set[k] = true;
        draw_vector(random, out->floats[k]);
    }
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t c = 0; c < 4 && (registers->integers >> i & 1u) != 0; c++)
            out->integers[i][c] = (uint8_t)(harness_random_percent(random, 70) ? harness_random_below(random, 5)
                                                                               : harness_random_number(random, 8));
    out->booleans =
        (uint16_t)((out->booleans & ~registers->booleans) | (harness_random_next(random) >> 48 & registers->booleans));
}

enum harness_status harness_shader_prepare(struct harness_shader_file *file, const char *name,
                                           struct harness_error *error)
{
    enum harness_status status = HARNESS_BAD_INPUT;
    for (uint32_t i = 0; i < file->program_count; i++) {
        find_registers(file, &file->programs[i], &file->programs[i].varied);
        if (status != HARNESS_OK)
            status = harness_shader_can_draw(&file->programs[i], name, error);
    }
    return status;
}

enum harness_status harness_shader_vary(const struct harness_shader_file *file, const char *name, uint64_t seed,
                                        struct harness_case *out, struct harness_error *error)
{
    enum {
        MOST = 4
    };
    struct harness_shader_values values[MOST];
    struct harness_random random;
    struct harness_shader_draws draws = { .file = file, .name = name, .values = values };
    harness_random_init(&random, seed);
    do
        draws.program = harness_random_below(&random, file->program_count);
    while (harness_shader_can_draw(&file->programs[draws.program], name, NULL) != HARNESS_OK);
    draws.count = harness_random_between(&random, 1, MOST);
    draws.profile = harness_random_percent(&random, 25) ? PICA_PROFILE_F24 : PICA_PROFILE_F32;
    for (uint32_t i = 0; i < draws.count; i++)
        draw_values(&random, &file->programs[draws.program], &values[i]);
    return harness_shader_case(&draws, out, error);
}
