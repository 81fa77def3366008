/*
 * The localiser between two machines that take other sides of known choices: where pixels and lists lie follows them
 * (--quirks). The cases are those of corpus/splits with blending by factor 15, in which the two machines differ.
 */
#include "harness/case/formats.h"
#include "harness/localise/localise.h"
#include "harness/run/backends.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each `old` becomes `new`; there is one at least. */
static char *replaced(char *text, const char *old, const char *new)
{
    struct harness_text out = { 0 };
    const char *from = text;
    cr_assert_not_null(strstr(text, old), "%s", old);
    for (const char *at; (at = strstr(from, old)) != NULL; from = at + strlen(old))
        harness_text_format(&out, "%.*s%s", (int)(at - from), from, new);
    harness_text_add(&out, from);
    char *const result = strdup(harness_text_string(&out));
    harness_text_free(&out);
    free(text);
    return result;
}

static char *split(const char *name)
{
    char path[512];
    uint8_t *bytes = NULL;
    size_t size = 0;
    (void)snprintf(path, sizeof path, PICAFUZZ_SOURCE_DIR "/corpus/splits/%s.pcase", name);
    cr_assert_eq(harness_file_read(path, &bytes, &size, NULL), HARNESS_OK, "%s", path);
    char *const text = strndup((const char *)bytes, size);
    free(bytes);
    return replaced(text, "rgb_source = one,", "rgb_source = reserved-15,");
}

/* "reference+SIDE" against the same with factor 15 the other way. Frees the text. */
static void locate(const char *side, char *text, struct harness_location *location)
{
    static const char *const others[] = { "", "+blend-factor-15=255" };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct harness_error error = { "" };
    struct harness_backend opened[2];
    struct harness_runner *runners[2];
    struct harness_case *const test_case = harness_case_create();
    struct harness_program *const program = harness_program_create();
    cr_assert_eq(harness_pcase_read(test_case, text, strlen(text), side, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(test_case, program, &error), HARNESS_OK, "%s", error.message);
    for (int i = 0; i < 2; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "reference+%s%s", side, others[i]);
        cr_assert_eq(harness_backend_open(name, &opened[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(opened[i].backend, &options, &runners[i]), PICA_OK);
        harness_runner_restrict(runners[i], &opened[i].scope);
    }
    cr_assert_eq(harness_localise(runners[0], runners[1], program, location, &error), HARNESS_OK, "%s", error.message);
    for (int i = 0; i < 2; i++) {
        harness_runner_destroy(runners[i]);
        harness_backend_close(&opened[i]);
    }
    harness_program_destroy(program);
    harness_case_destroy(test_case);
    free(text);
}

static void expect_blend(const char *side, const struct harness_location *location)
{
    cr_expect(location->has_pixel, "%s: no pixel", side);
    cr_expect(location->has_step, "%s: %s", side, location->note);
    cr_expect_str_eq(location->stage, "blend", "%s: %s", side, location->stage);
}

Test(localise_choices, pixels_lie_where_the_machine_has_them)
{
    static const struct {
        const char *side, *name;
    } rows[] = {
        { "row-order=bit-24", "row-order" },
        { "row-order=highest-first", "row-order" },
        { "row-pitch=rounded", "row-pitch" },
        { "row-pitch=width", "row-pitch" },
        { "buffer-address=64-bytes", "buffer-address" },
        { "buffer-address=8-bytes", "buffer-address" },
        { "fragment-mode-2=as-0", "fragment-mode-2" },
        { "gas-mode=as-0", "gas-mode" },
    };
    static struct harness_location location;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char *text = split(rows[i].name);
        text = replaced(text, "red = 255,", "red = 100,");
        locate(rows[i].side, text, &location);
        expect_blend(rows[i].side, &location);
    }
}

/* SUB-03: a jump with value 0 is none; SUB-02: a list at an odd multiple of 8 bytes. */
Test(localise_choices, lists_are_followed_as_the_machine_does)
{
    static const char jump[] = "CMDBUF_SIZE1 { size = 48 }\n    CMDBUF_ADDR1 { address = 0x18004000 }\n"
                               "    CMDBUF_JUMP1 = 0\n";
    static struct harness_location location;
    locate("jump-value=non-zero", replaced(split("jump-value"), "red = 255,", "red = 100,"), &location);
    expect_blend("jump-value=non-zero", &location);
    cr_expect_eq(location.command_list, 0x18003000u, "0x%08X", (unsigned)location.command_list);
    char *text =
        replaced(split("jump-value"), jump, "CMDBUF_SIZE1 = 6\n    CMDBUF_ADDR1 = 0x03000801\n    CMDBUF_JUMP1 = 1\n");
    text = replaced(text, "memory 0x18004000", "memory 0x18004008");
    text = replaced(text, "green = 255,", "green = 100,");
    locate("list-size=8-byte-units", text, &location);
    expect_blend("list-size=8-byte-units", &location);
    cr_expect_eq(location.command_list, 0x18004008u, "0x%08X", (unsigned)location.command_list);
}
