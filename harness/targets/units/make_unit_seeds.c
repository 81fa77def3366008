/*
 * Inputs for the targets of one unit, out of cases of any kind: what the unit is given when `reference` runs them.
 * Usage: make_unit_seeds commands|transfers|vertex_shader|geometry_shader|textures DIRECTORY FILE...
 */
#include "harness/run/backends.h"
#include "harness/run/load.h"
#include "harness/targets/units/shader.h"
#include "pica/regs.h"

#include <stdio.h>
#include <string.h>

enum {
    TEXTURE_BYTES = 0x400
};

/* What a case is made into; one process makes all. */
struct work {
    const struct pica_backend *backend;
    void *instance;
    const char *directory, *name; /* of the file that is being read */
    uint32_t made;
    struct harness_error error;
    enum harness_status status;
};

static void save(struct work *work, const struct harness_text *seed)
{
    char path[4096];
    if (seed->size == 0 || seed->size > HARNESS_MAX_INPUT || work->status != HARNESS_OK)
        return;
    (void)snprintf(path, sizeof path, "%s/%s-%u", work->directory, work->name, (unsigned)work->made++);
    work->status = harness_file_write_lazily(path, seed->data, seed->size, &work->error);
}

static void add_byte(struct harness_text *out, uint32_t byte)
{
    const uint8_t value = (uint8_t)byte;
    harness_text_bytes(out, &value, 1);
}

/* ----------------------------------------------------------------------------------------------- a case, as it is */

static void make_commands(struct work *work, const struct pica_operation *operation, struct harness_text *out)
{
    (void)work;
    if (operation->kind == PICA_OPERATION_LOAD_MEMORY) /* RUN becomes a load and a submission */
        harness_text_bytes(out, operation->data, operation->size);
}

static void make_transfers(struct work *work, const struct pica_operation *operation, struct harness_text *out)
{
    const bool is_fill = operation->kind == PICA_OPERATION_MEMORY_FILL;
    (void)work;
    if (!is_fill && operation->kind != PICA_OPERATION_DISPLAY_TRANSFER)
        return;
    add_byte(out, is_fill ? operation->unit : 2);
    for (size_t i = 0; i < (is_fill ? 4 : 9); i++)
        harness_text_word(out, operation->words[i]);
}

/* -------------------------------------------------------------------------------------------- a draw, as it happens */

static void write_texture(struct work *work, const uint32_t *registers, struct harness_text *out)
{
    static const uint16_t ids[] = { PICA_REG_TEXUNIT0_TYPE,  PICA_REG_TEXUNIT0_DIM,          PICA_REG_TEXUNIT0_PARAM,
                                    PICA_REG_TEXUNIT0_LOD,   PICA_REG_TEXUNIT0_BORDER_COLOR, PICA_REG_TEXUNIT0_SHADOW,
                                    PICA_REG_TEXUNIT0_ADDR2, PICA_REG_TEXUNIT0_ADDR3,        PICA_REG_TEXUNIT0_ADDR4,
                                    PICA_REG_TEXUNIT0_ADDR5, PICA_REG_TEXUNIT0_ADDR6 };
    uint8_t bytes[TEXTURE_BYTES];
    add_byte(out, 3); /* once */
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        harness_text_word(out, registers[ids[i]]);
    if (work->backend->read_memory(work->instance, registers[PICA_REG_TEXUNIT0_ADDR1] << 3, bytes, sizeof bytes) ==
        PICA_OK)
        harness_text_bytes(out, bytes, sizeof bytes);
}

static void on_draw(void *user, const struct pica_draw *draw)
{
    struct harness_text seed;
    harness_text_init(&seed);
    write_texture(user, draw->registers, &seed);
    save(user, &seed);
    harness_text_free(&seed);
}

/* --------------------------------------------------------------------------------------------- a shader, at the end */

static void make_shader(struct work *work, uint32_t unit, struct harness_text *out)
{
    static const float corners[] = { -1.0f, 0.5f, 0.25f, 1.0f, 2.0f, -0.75f, 0.0f, 1.0f };
    static struct pica_state state;
    if (work->backend->read_state(work->instance, &state) != PICA_OK)
        return;
    if (state.units[unit].code[0] == 0)
        return; /* the case has no such shader */
    const uint32_t *const r = state.registers;
    unit_shader_write(&state.units[unit],
                      r[unit == PICA_UNIT_VERTEX ? PICA_REG_VSH_ENTRYPOINT : PICA_REG_GSH_ENTRYPOINT], out);
    if (unit == PICA_UNIT_GEOMETRY) {
        harness_text_word(out, r[PICA_REG_GSH_MISC0]);
        harness_text_word(out, r[PICA_REG_GSH_MISC1]);
        harness_text_word(out, r[PICA_REG_GSH_INPUTBUFFER_CONFIG]);
        harness_text_word(out, r[PICA_REG_GSH_OUTMAP_MASK]);
    }
    for (size_t i = 0; i < UNIT_SHADER_INPUTS; i++) {
        uint32_t bits;
        memcpy(&bits, &corners[i % (sizeof corners / sizeof corners[0])], sizeof bits);
        harness_text_word(out, bits);
    }
}

/* ------------------------------------------------------------------------------------------------------------- main */

enum unit {
    COMMANDS = 0,
    TRANSFERS = 1,
    VERTEX_SHADER = 2,
    GEOMETRY_SHADER = 3,
    TEXTURES = 4,
    UNITS = 5
};

static const char *const names[UNITS] = { "commands", "transfers", "vertex_shader", "geometry_shader", "textures" };

static void make(struct work *work, enum unit unit, const struct harness_program *program)
{
    struct harness_text seed;
    harness_text_init(&seed);
    if (work->backend->load(work->instance, &program->setup) != PICA_OK)
        return;
    (void)work->backend->observe_draws(work->instance, unit == TEXTURES ? on_draw : NULL, work);
    for (uint32_t i = 0; i < program->count; i++) {
        const struct pica_operation *const operation = &program->operations[i];
        if (unit == COMMANDS)
            make_commands(work, operation, &seed);
        if (unit == TRANSFERS)
            make_transfers(work, operation, &seed);
        (void)work->backend->run(work->instance, operation);
    }
    if (unit == VERTEX_SHADER || unit == GEOMETRY_SHADER)
        make_shader(work, unit == VERTEX_SHADER ? PICA_UNIT_VERTEX : PICA_UNIT_GEOMETRY, &seed);
    save(work, &seed);
    harness_text_free(&seed);
}

static enum harness_status make_file(struct work *work, enum unit unit, const char *path)
{
    char name[256];
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    harness_input_name(path, name, sizeof name);
    work->name = name;
    work->made = 0;
    work->status = HARNESS_NO_MEMORY;
    if (test_case != NULL && program != NULL)
        work->status = harness_load(test_case, path, NULL, &work->error);
    if (work->status == HARNESS_OK)
        work->status = harness_case_setup(test_case, program, &work->error);
    if (work->status == HARNESS_OK)
        make(work, unit, program);
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    return work->status;
}

int main(int argc, char **argv)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    uint32_t unit = 0;
    while (argc > 3 && unit < UNITS && strcmp(argv[1], names[unit]) != 0)
        unit++;
    if (argc < 4 || unit == UNITS) {
        fprintf(stderr, "usage: make_unit_seeds commands|transfers|vertex_shader|geometry_shader|textures "
                        "DIRECTORY FILE...\n");
        return 2;
    }
    (void)harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    struct work work = { .backend = linked[0], .directory = argv[2] };
    if (work.backend->create(&options, &work.instance) != PICA_OK)
        return 4;
    for (int i = 3; i < argc; i++)
        if (make_file(&work, (enum unit)unit, argv[i]) != HARNESS_OK) {
            fprintf(stderr, "make_unit_seeds: %s: %s\n", argv[i], work.error.message);
            return 4;
        }
    work.backend->destroy(work.instance);
    return 0;
}
