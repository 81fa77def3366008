#include "harness/console/export.h"

#include "harness/case/formats.h"
#include "harness/console/gate.h"
#include "harness/console/move.h"
#include "harness/console/pack.h"
#include "harness/console/payload.h"
#include "harness/console/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SELF_TEST_REGISTER = 0x0E0, /* the first of the registers that a self-test reads back */
    SELF_TEST_REGISTERS = 0x20  /* how many */
};

/* One .3dsx in the making. */
struct file {
    char name[CONSOLE_NAME_BYTES];
    const char *suspect; /* NULL: the first file, of cases without suspicion */
    struct console_pack *pack;
};

struct console_export {
    char name[CONSOLE_NAME_BYTES];
    struct console_gates *gates;
    struct harness_program *program;
    struct file files[CONSOLE_MOST_FILES];
    size_t file_count;
    const char *only; /* borrowed */
    bool together;
    uint32_t show_blanks;
    struct console_mover *mover; /* NULL: nothing is moved */
    struct harness_program *moved;
};

static bool is_named(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* ------------------------------------------------------------------------------------------------------ self-tests */

/* What each self-test proves, and whether it is required: a console may do without lists in VRAM and without reading
 * registers. */
static uint32_t self_test_flags(const char *name)
{
    static const struct {
        const char *name;
        uint32_t flags;
    } tests[] = { { "dma", CONSOLE_CASE_LOADED | CONSOLE_CASE_REQUIRED },
                  { "fill", CONSOLE_CASE_FILLED | CONSOLE_CASE_REQUIRED },
                  { "transfer", CONSOLE_CASE_TRANSFERRED | CONSOLE_CASE_REQUIRED },
                  { "copy", CONSOLE_CASE_COPIED | CONSOLE_CASE_REQUIRED },
                  { "triangle", CONSOLE_CASE_COLOR | CONSOLE_CASE_REQUIRED },
                  { "depth", CONSOLE_CASE_DEPTH | CONSOLE_CASE_REQUIRED },
                  { "registers", CONSOLE_CASE_REGISTERS },
                  { "list_in_vram", CONSOLE_CASE_VRAM_LIST } };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (is_named(tests[i].name, name))
            return tests[i].flags;
    return CONSOLE_CASE_REQUIRED;
}

static enum harness_status add_self_test(struct console_export *export, struct console_pack *pack,
                                         const struct console_self_test *test, struct harness_case *test_case,
                                         struct harness_error *error)
{
    struct console_plan plan = { .step_count = 0 };
    enum harness_status status = harness_pcase_read(test_case, test->text, test->size, test->name, error);
    if (status == HARNESS_OK)
        status = harness_case_setup(test_case, export->program, error);
    if (status == HARNESS_OK)
        status = console_gates_ask(export->gates, export->program, &plan, error);
    if (status == HARNESS_OK && (plan.reasons.size != 0 || plan.suspect != NULL))
        status = harness_fail(error, HARNESS_BAD_INPUT, "self-test %s: %s", test->name,
                              plan.reasons.size != 0 ? harness_text_string(&plan.reasons) : plan.suspect);
    const uint32_t flags = self_test_flags(test->name);
    const uint32_t registers = (flags & CONSOLE_CASE_REGISTERS) != 0 ? (uint32_t)SELF_TEST_REGISTERS : 0;
    const struct console_pack_case add = {
        test->name, test_case, export->program, &plan, flags, true, { SELF_TEST_REGISTER, registers }
    };
    if (status == HARNESS_OK)
        status = console_pack_add(pack, &add, error);
    console_plan_free(&plan);
    return status;
}

static enum harness_status add_self_tests(struct console_export *export, struct console_pack *pack,
                                          struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case == NULL ? harness_fail_memory(error) : HARNESS_OK;
    for (const struct console_self_test *test = console_self_tests; status == HARNESS_OK && test->name != NULL; test++)
        status = add_self_test(export, pack, test, test_case, error);
    harness_case_destroy(test_case);
    return status;
}

/* ----------------------------------------------------------------------------------------------------------- files */

/* The file for cases of this suspicion, begun if there is none. */
static enum harness_status find_file(struct console_export *export, const char *suspect, struct console_pack **out,
                                     struct harness_error *error)
{
    for (size_t i = 0; i < export->file_count; i++)
        if (is_named(export->files[i].suspect, suspect)) {
            *out = export->files[i].pack;
            return HARNESS_OK;
        }
    if (export->file_count == CONSOLE_MOST_FILES)
        return harness_fail(error, HARNESS_TOO_LARGE, "more than %d suspected events: export fewer cases at once",
                            CONSOLE_MOST_FILES - 1);
    struct file *const file = &export->files[export->file_count];
    char name[CONSOLE_NAME_BYTES];
    if (suspect == NULL)
        (void)snprintf(name, sizeof name, "%s", export->name);
    else
        (void)snprintf(name, sizeof name, "%.20s-hang%u", export->name, (unsigned)export->file_count);
    memcpy(file->name, name, sizeof name);
    file->suspect = suspect;
    file->pack = console_pack_create(file->name, export->show_blanks);
    if (file->pack == NULL)
        return harness_fail_memory(error);
    export->file_count++;
    *out = file->pack;
    return add_self_tests(export, file->pack, error);
}

enum harness_status console_export_create(const char *name, bool may_hang, struct console_export **out,
                                          struct harness_error *error)
{
    *out = NULL;
    if (!console_pack_name_is_good(name))
        return harness_fail(error, HARNESS_BAD_INPUT,
                            "'%s' names no files on the card: 1 to %d characters of a-z, 0-9, _ and -", name,
                            CONSOLE_NAME_BYTES - 1);
    struct console_export *const export = calloc(1, sizeof *export);
    struct console_pack *first = NULL;
    if (export == NULL)
        return harness_fail_memory(error);
    (void)snprintf(export->name, sizeof export->name, "%s", name);
    export->program = harness_program_create();
    enum harness_status status = export->program == NULL ? harness_fail_memory(error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = console_gates_create(may_hang, &export->gates, error);
    if (status == HARNESS_OK)
        status = find_file(export, NULL, &first, error);
    if (status == HARNESS_OK)
        *out = export;
    else
        console_export_destroy(export);
    return status;
}

void console_export_destroy(struct console_export *export)
{
    if (export == NULL)
        return;
    for (size_t i = 0; i < export->file_count; i++)
        console_pack_destroy(export->files[i].pack);
    console_gates_destroy(export->gates);
    harness_program_destroy(export->program);
    harness_program_destroy(export->moved);
    console_mover_destroy(export->mover);
    free(export);
}

/* ----------------------------------------------------------------------------------------------------------- cases */

void console_export_together(struct console_export *export)
{
    export->together = true;
    console_gates_allow_hangs(export->gates);
}

enum harness_status console_export_show(struct console_export *export, uint32_t blanks, struct harness_error *error)
{
    struct console_pack *pack = NULL;
    export->show_blanks = blanks;
    console_pack_destroy(export->files[0].pack); /* begun anew: its self-tests were made without showing anything */
    export->file_count = 0;
    return find_file(export, NULL, &pack, error);
}

enum harness_status console_export_move(struct console_export *export, struct harness_error *error)
{
    if (export->mover == NULL)
        export->mover = console_mover_create();
    if (export->moved == NULL)
        export->moved = harness_program_create();
    return export->mover != NULL && export->moved != NULL ? HARNESS_OK : harness_fail_memory(error);
}

void console_export_only(struct console_export *export, const char *prefixes)
{
    export->only = prefixes;
}

bool console_export_wants(const struct console_export *export, const char *name)
{
    const char *prefix = export->only;
    while (prefix != NULL) {
        const size_t length = strcspn(prefix, ",");
        if (strncmp(name, prefix, length) == 0)
            return true;
        prefix = prefix[length] != '\0' ? prefix + length + 1 : NULL;
    }
    return export->only == NULL;
}

static enum harness_status take(struct console_export *export, const char *name, const struct harness_case *test_case,
                                const struct console_plan *plan, struct console_register_range registers, bool is_moved,
                                struct harness_error *error)
{
    struct console_pack *pack = NULL;
    enum harness_status status = find_file(export, export->together ? NULL : plan->suspect, &pack, error);
    if (status == HARNESS_OK) /* find_file may have lowered self-tests into the same program */
        status = harness_case_setup(test_case, export->program, error);
    const struct console_pack_case add = { name,
                                           test_case,
                                           is_moved ? export->moved : export->program,
                                           plan,
                                           (plan->suspect != NULL ? (uint32_t)CONSOLE_CASE_MAY_HANG : 0u) |
                                               (is_moved ? (uint32_t)CONSOLE_CASE_MOVED : 0u),
                                           false,
                                           registers };
    return status == HARNESS_OK ? console_pack_add(pack, &add, error) : status;
}

enum harness_status console_export_ask_registers(struct console_export *export, const char *name,
                                                 const struct harness_case *test_case, uint32_t first, uint32_t count,
                                                 struct console_answer *out, struct harness_error *error)
{
    const struct console_register_range registers = { first, count };
    struct console_plan plan = { .step_count = 0 };
    *out = (struct console_answer){ .taken = false };
    if (!console_export_wants(export, name)) {
        harness_text_format(&out->reasons, "only '%s' was asked for\n", export->only);
        return HARNESS_OK;
    }
    bool is_moved = false;
    enum harness_status status = harness_case_setup(test_case, export->program, error);
    if (status == HARNESS_OK && export->mover != NULL)
        status = console_mover_move(export->mover, export->program, export->moved, &is_moved, error);
    if (status == HARNESS_OK)
        status = console_gates_ask(export->gates, is_moved ? export->moved : export->program, &plan, error);
    if (status == HARNESS_OK && plan.reasons.size != 0) {
        harness_text_add(&out->reasons, harness_text_string(&plan.reasons));
    } else if (status == HARNESS_OK) {
        status = take(export, name, test_case, &plan, registers, is_moved, error);
        out->taken = status == HARNESS_OK;
        out->suspect = plan.suspect;
        out->open = plan.open;
    }
    console_plan_free(&plan);
    return status;
}

enum harness_status console_export_ask(struct console_export *export, const char *name,
                                       const struct harness_case *test_case, struct console_answer *out,
                                       struct harness_error *error)
{
    return console_export_ask_registers(export, name, test_case, 0, 0, out, error);
}

void console_asking_note(struct console_asking *asking, const char *name, struct console_answer *answer)
{
    asking->observer(asking->user, name, answer);
    asking->taken += answer->taken;
    asking->asked++;
    harness_text_free(&answer->reasons);
}

/* ---------------------------------------------------------------------------------------------------------- output */

static enum harness_status make(struct console_pack *pack, const uint8_t *program, size_t program_size,
                                struct harness_text *out, struct harness_error *error)
{
    struct console_words payload = { .items = NULL };
    enum harness_status status = console_pack_finish(pack, &payload, error);
    if (status == HARNESS_OK)
        status =
            console_program_embed(program, program_size, (const uint8_t *)payload.items, payload.count * 4, out, error);
    console_words_free(&payload);
    return status;
}

enum harness_status console_export_make(struct console_export *export, const uint8_t *program, size_t program_size,
                                        struct harness_text *out, struct harness_error *error)
{
    return make(export->files[0].pack, program, program_size, out, error);
}

static enum harness_status write_file(const struct file *file, const char *directory, struct console_file *out,
                                      struct harness_error *error)
{
    size_t program_size = 0;
    const uint8_t *const program = console_program(&program_size);
    struct harness_text bytes = { 0 };
    char path[4096];
    *out = (struct console_file){ .suspect = file->suspect,
                                  .cases = console_pack_count(file->pack),
                                  .shown = console_pack_shown(file->pack),
                                  .results = console_pack_results(file->pack) };
    (void)snprintf(out->name, sizeof out->name, "%s.3dsx", file->name);
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, out->name) >= sizeof path)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    enum harness_status status = make(file->pack, program, program_size, &bytes, error);
    if (status == HARNESS_OK)
        status = harness_file_write(path, bytes.data, bytes.size, error);
    out->bytes = bytes.size;
    harness_text_free(&bytes);
    return status;
}

enum harness_status console_export_write(struct console_export *export, const char *directory,
                                         struct console_file *files, size_t *count, struct harness_error *error)
{
    size_t program_size = 0;
    (void)console_program(&program_size);
    *count = 0;
    if (program_size == 0)
        return harness_fail(
            error, HARNESS_BAD_INPUT,
            "this build has no program for the console: harness/console/runner/runtime.3dsx is missing");
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && i < export->file_count; i++)
        if (console_pack_count(export->files[i].pack) != 0)
            status = write_file(&export->files[i], directory, &files[(*count)++], error);
    return status;
}
