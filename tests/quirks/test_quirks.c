/* The quirks file: what is read, what is refused and where, and that changing a section leaves the rest alone. */
#include "harness/case/formats.h"
#include "harness/quirks/edit.h"
#include "harness/quirks/quirks.h"
#include "harness/run/backends.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PAGE PICAFUZZ_SOURCE_DIR "/docs/formats/quirks.md"

/* LeakSanitizer asks: libconfig 1.5 forgets the string at hand when a file breaks off. We see to the rest. */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
    return "leak:libconfig";
}

static enum harness_status parse(const char *text, struct harness_error *error)
{
    struct harness_quirks *const quirks = harness_quirks_create();
    const enum harness_status status = harness_quirks_parse(quirks, text, strlen(text), "q", error);
    harness_quirks_destroy(quirks);
    return status;
}

/* ---------------------------------------------------------------------------------------------------------- reading */

/* The indented lines of the page after `heading`, from the first "version" on. */
static void take_example(const char *page, const char *heading, struct harness_text *out)
{
    const char *at = strstr(page, heading);
    cr_assert_not_null(at, "%s", heading);
    at = strstr(at, "\n    version");
    cr_assert_not_null(at, "%s has no example", heading);
    for (at++; strncmp(at, "    ", 4) == 0 || *at == '\n';) {
        const size_t length = strcspn(at, "\n") + 1;
        harness_text_bytes(out, at, length);
        at += length;
    }
}

Test(quirks, the_example_of_every_section_of_the_page_is_read)
{
    static const char *const headings[] = { "# Quirks file\n", "## choices\n",   "## force\n",
                                            "## without\n",    "## tolerance\n", "## baseline\n" };
    uint8_t *page = NULL;
    size_t size = 0;
    cr_assert_eq(harness_file_read(PAGE, &page, &size, NULL), HARNESS_OK);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        struct harness_text text = { 0 };
        struct harness_error error = { "" };
        take_example((const char *)page, headings[i], &text);
        cr_expect_eq(parse(harness_text_string(&text), &error), HARNESS_OK, "%s: %s", headings[i], error.message);
        harness_text_free(&text);
    }
    free(page);
}

Test(quirks, all_sections_are_taken_over)
{
    static const char text[] = "version = 1;\n"
                               "choices = { zero-area = \"drawn\"; };\n"
                               "force = [ \"BLEND_COLOR = 7\" ];\n"
                               "without = ( \"shadow\", \"etc1\" );\n"
                               "tolerance = { color = 3; alpha = 1; depth = 9; edge = 2; filter = 1; ulps = 4; };\n"
                               "baseline = ( { bucket = \"b\"; version = 2; expect = \"crash\"; note = \"n\"; },\n"
                               "             { case = \"x/y.pcase\"; expect = \"skip\"; } );\n";
    struct harness_error error = { "" };
    struct harness_quirks *const quirks = harness_quirks_create();
    cr_assert_eq(harness_quirks_parse(quirks, text, strlen(text), "q", &error), HARNESS_OK, "%s", error.message);
    cr_expect(quirks->has_choices);
    cr_expect_eq(quirks->choices.sides[PICA_CHOICE_ZERO_AREA], 1);
    cr_expect_eq(quirks->force.count, 1);
    cr_expect_eq(quirks->without.count, 4, "shadow has three conditions");
    cr_expect_eq(quirks->tolerance.channels[0], 3);
    cr_expect_eq(quirks->tolerance.channels[3], 1);
    cr_expect_eq(quirks->tolerance.depth, 9);
    cr_expect_eq(quirks->tolerance.edge, 2);
    cr_expect_eq(quirks->tolerance.filter, 1);
    cr_expect_eq(quirks->tolerance.ulps, 4);
    cr_expect_eq(quirks->accepted_count, 2);
    cr_expect_eq(harness_quirks_bucket(quirks, "b", 2)->expectation, HARNESS_EXPECT_CRASH);
    cr_expect_eq(harness_quirks_bucket(quirks, "b", 2)->version, 2);
    cr_expect_eq(harness_quirks_case(quirks, "a/x/y.pcase")->expectation, HARNESS_EXPECT_SKIP);
    cr_expect_null(harness_quirks_case(quirks, "a/xx/y.pcase"));
    cr_expect_null(harness_quirks_case(quirks, "y.pcase"));
    harness_quirks_destroy(quirks);
}

Test(quirks, a_finding_is_accepted_by_its_case_or_its_bucket_if_that_was_expected)
{
    static const char text[] = "version = 1;\n"
                               "baseline = ( { bucket = \"b\"; version = 2; expect = \"fail\"; },\n"
                               "             { bucket = \"b\"; version = 1; expect = \"flaky\"; },\n"
                               "             { case = \"dies.pcase\"; expect = \"crash\"; },\n"
                               "             { case = \"skipped.pcase\"; expect = \"skip\"; } );\n";
    const struct {
        struct harness_shown shown;
        uint32_t line; /* of the entry; 0: new */
    } rows[] = {
        { { "x.pcase", "b", 2, HARNESS_SHOWS_DIFFERENCE }, 2 },
        { { NULL, "b", 2, HARNESS_SHOWS_DIFFERENCE }, 2 },
        { { NULL, "b", 2, HARNESS_SHOWS_CRASH }, 0 },
        { { NULL, "b", 1, HARNESS_SHOWS_CRASH }, 3 },
        { { NULL, "b", 3, HARNESS_SHOWS_DIFFERENCE }, 0 },
        { { "x.pcase", NULL, 0, HARNESS_SHOWS_DIFFERENCE }, 0 },
        { { "dies.pcase", "c", 2, HARNESS_SHOWS_CRASH }, 4 },
        { { "dies.pcase", "c", 2, HARNESS_SHOWS_DIFFERENCE }, 0 },
        { { "dies.pcase", "b", 2, HARNESS_SHOWS_DIFFERENCE }, 2 },
        { { "skipped.pcase", "c", 2, HARNESS_SHOWS_DIFFERENCE }, 5 },
        { { "skipped.pcase", "b", 2, HARNESS_SHOWS_NOTHING }, 0 },
    };
    struct harness_error error = { "" };
    struct harness_quirks *const quirks = harness_quirks_create();
    cr_assert_eq(harness_quirks_parse(quirks, text, strlen(text), "q", &error), HARNESS_OK, "%s", error.message);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct harness_accepted *const entry = harness_quirks_accepts(quirks, &rows[i].shown);
        cr_expect_eq(entry != NULL ? entry->line : 0, rows[i].line, "row %zu", i);
    }
    cr_expect_eq(harness_quirks_buckets(quirks), 2);
    harness_quirks_destroy(quirks);
}

Test(quirks, what_is_wrong_is_said_with_line_and_expectation)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        { "force = ();\n", "q:1: expected version = 1;" },
        { "version = 2;\n", "q:1: expected version = 1" },
        { "version = 1;\nversoin = 2;\n", "q:2: expected version, choices, force" },
        { "version = 1;\nchoises = {};\n", "did you mean choices?" },
        { "version = 1;\nchoices = {\n zero-aera = \"drawn\"; };\n", "q:3: expected a choice of pica/splits.def, found "
                                                                     "'zero-aera'; did you mean zero-area?" },
        { "version = 1;\nchoices = { zero-area = \"dawn\"; };\n", "q:2: expected one of nothing, drawn, found 'dawn'" },
        { "version = 1;\nchoices = { zero-area = 1; };\n", "q:2: expected a text, found a number" },
        { "version = 1;\nforce = \"x\";\n", "q:2: expected force = (" },
        { "version = 1;\nforce = (\n \"BLEND_FUNC.rgb_equatoin = add\" );\n",
          "q:3: expected a field of BLEND_FUNC, found 'rgb_equatoin'; did you mean rgb_equation?" },
        { "version = 1;\nforce = ( \"BLEND_FNUC = 1\" );\n", "did you mean BLEND_FUNC?" },
        { "version = 1;\nforce = ( \"BLEND_FUNC.rgb_equation = plus\" );\n", "a name of the enumeration" },
        { "version = 1;\nforce = ( \"blend_fnuc = 1\" );\n", "did you mean BLEND_FUNC?" },
        { "version = 1;\nforce = ( \"TEXUNIT0_DI = 1\" );\n", "did you mean TEXUNIT0_DIM?" },
        { "version = 1;\nforce = ( \"texunit0_par = 1\" );\n", "did you mean TEXUNIT0_PARAM?" },
        { "version = 1;\nforce = ( \"texunit_parm.wrap_s = 1\" );\n", "did you mean TEXUNIT0_PARAM?" },
        { "version = 1;\nforce = ( \"stencil_tes.enable = 1\" );\n", "did you mean STENCIL_TEST?" },
        { "version = 1;\nforce = ( \"TEXUNIT0_PARAM.filter = 1\" );\n", "did you mean mag_filter?" },
        { "version = 1;\nforce = ( \"STENCIL_TEST.quux = 1\" );\n", "found 'quux'; it has enable, " },
        { "version = 1;\nforce = ( \"TEXUNIT0_PARAM.mag_filter = neerest\" );\n", "did you mean nearest?" },
        { "version = 1;\nforce = ( \"TEXUNIT0_PARAM.mag_filter = cubic\" );\n",
          "a name of the enumeration or its number (nearest, linear), found 'cubic'" },
        { "version = 1;\nforce = ( \"BLEND_FUNC = 0x100000000\" );\n", "a number of 32 bits" },
        { "version = 1;\nforce = ( \"BLEND_FUNC\" );\n", "expected REGISTER.field = value, found 'BLEND_FUNC'" },
        { "version = 1;\nwithout = ( \"geomtry\" );\n", "q:2: expected a feature" },
        { "version = 1;\nwithout = ( \"geomtry\" );\n", "did you mean geometry?" },
        { "version = 1;\nwithout = ( \"shader.nope\" );\n", "an instruction" },
        { "version = 1;\ntolerance = { color = 256; };\n", "q:2: expected a number from 0 to 255" },
        { "version = 1;\ntolerance = { color = 1.5; };\n", "found a decimal number" },
        { "version = 1;\ntolerance = { colour = 1; };\n", "did you mean color?" },
        { "version = 1;\nbaseline = (\n { expect = \"fail\"; } );\n",
          "q:3: expected a bucket or a case, found neither" },
        { "version = 1;\nbaseline = ( { bucket = \"b\"; } );\n", "expected expect = " },
        { "version = 1;\nbaseline = ( { bucket = \"b\"; expect = \"fial\"; } );\n", "did you mean fail?" },
        { "version = 1;\nversion = 1;\n", "q:2: " },
        { "version = 1;\n@include \"other\"\n", "q:2: expected plain text, found @include" },
        { "version = 1;\nforce = (\n", "q:" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct harness_error error = { "" };
        cr_expect_eq(parse(rows[i].text, &error), HARNESS_BAD_INPUT, "%s", rows[i].text);
        cr_expect_not_null(strstr(error.message, rows[i].message), "%s: %s", rows[i].text, error.message);
    }
}

/* A generator of its own: the same bytes on every host. */
static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

Test(quirks, cut_edited_and_random_files_are_read_or_refused_with_a_line)
{
    static const char text[] =
        "version = 1; # c\n"
        "choices = { zero-area = \"drawn\"; };\n"
        "force = ( \"BLEND_FUNC & 0xFF = 7\", \"texunit_param.mag_filter = nearest\" );\n"
        "without = ( \"geometry\", \"shader.mad\", \"texunit_type.format=etc1\" );\n"
        "tolerance = { color = 3; depth = 0x10; };\n"
        "baseline = ( { bucket = \"b\"; version = 2; expect = \"fail\"; note = \"\\x41\"; } );\n";
    uint32_t state = 1, good = 0;
    enum {
        ROUNDS = 4000
    };
    for (uint32_t round = 0; round < ROUNDS; round++) {
        char bytes[sizeof text];
        struct harness_error error = { "" };
        size_t size = round % 4 == 0 ? draw(&state) % sizeof text : sizeof text - 1;
        memcpy(bytes, text, sizeof text);
        for (uint32_t edits = draw(&state) % 4; edits != 0 && size != 0; edits--)
            bytes[draw(&state) % size] = round % 2 == 0 ? (char)draw(&state) : text[draw(&state) % (sizeof text - 1)];
        for (size_t i = 0; round % 16 == 15 && i < size; i++)
            bytes[i] = (char)draw(&state);
        struct harness_quirks *const quirks = harness_quirks_create();
        const enum harness_status status = harness_quirks_parse(quirks, bytes, size, "q", &error);
        good += status == HARNESS_OK;
        if (status != HARNESS_OK) {
            cr_assert_eq(status, HARNESS_BAD_INPUT);
            cr_assert(strncmp(error.message, "q:", 2) == 0 && strtoul(error.message + 2, NULL, 10) >= 1, "%s",
                      error.message);
        }
        harness_quirks_destroy(quirks);
    }
    cr_expect(good > ROUNDS / 100 && good < ROUNDS / 2, "%u of %u were read", good, (unsigned)ROUNDS);
}

/* ---------------------------------------------------------------------------------------------------------- editing */

static const char before[] = "// the first line\n"
                             "version = 1;\n"
                             "baseline = ( # of \"May\"\n"
                             "  { bucket = \"one\"; expect = \"fail\"; note = \"a ) b\"; } /* why } */,\n"
                             "  { case = \"two\"; expect = \"skip\"; }\n"
                             "  # the end )\n"
                             "  );\n"
                             "force = ( \"BLEND_COLOR = 1\" ); # baseline = (\n";

static void write_file(char path[64], const char *text)
{
    strcpy(path, "/tmp/quirks-XXXXXX");
    const int file = mkstemp(path);
    cr_assert(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text) && close(file) == 0);
}

static char *read_file(const char *path)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    cr_assert_eq(harness_file_read(path, &bytes, &size, NULL), HARNESS_OK);
    return (char *)bytes;
}

static void expect_file(const char *path, const char *text)
{
    char *const now = read_file(path);
    cr_expect_str_eq(now, text);
    free(now);
}

Test(quirks, accepting_writes_the_baseline_alone_anew)
{
    char path[64];
    struct harness_error error = { "" };
    write_file(path, before);
    struct harness_accepted entry = { .bucket = "three", .version = 2, .note = "say \"hi\"\n" };
    cr_assert_eq(harness_quirks_accept(path, &entry, &error), HARNESS_OK, "%s", error.message);
    expect_file(path, "// the first line\n"
                      "version = 1;\n"
                      "baseline = (\n"
                      "  { bucket = \"one\"; version = 1; expect = \"fail\"; note = \"a ) b\"; },\n"
                      "  { case = \"two\"; expect = \"skip\"; },\n"
                      "  { bucket = \"three\"; version = 2; expect = \"fail\"; note = \"say \\\"hi\\\"\\x0A\"; }\n"
                      ");\n"
                      "force = ( \"BLEND_COLOR = 1\" ); # baseline = (\n");
    entry = (struct harness_accepted){ .bucket = "one", .version = 2, .expectation = HARNESS_EXPECT_FLAKY };
    cr_assert_eq(harness_quirks_accept(path, &entry, &error), HARNESS_OK, "%s", error.message);
    char *const now = read_file(path);
    cr_expect_not_null(strstr(now, "  { bucket = \"one\"; version = 2; expect = \"flaky\"; },\n"), "%s", now);
    struct harness_quirks *const quirks = harness_quirks_create();
    cr_assert_eq(harness_quirks_parse(quirks, now, strlen(now), "q", &error), HARNESS_OK, "%s", error.message);
    cr_expect_eq(quirks->accepted_count, 3);
    cr_expect_str_eq(harness_quirks_bucket(quirks, "three", 2)->note, "say \"hi\"\n");
    harness_quirks_destroy(quirks);
    free(now);
    unlink(path);
}

Test(quirks, removing_every_entry_leaves_a_file_that_can_be_read)
{
    char path[64];
    struct harness_error error = { "" };
    write_file(path, before);
    cr_assert_eq(harness_quirks_replace(path, 1, NULL, 0, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_quirks_replace(path, 0, NULL, 0, &error), HARNESS_OK, "%s", error.message);
    expect_file(path, "// the first line\n"
                      "version = 1;\n"
                      "baseline = (\n"
                      ");\n"
                      "force = ( \"BLEND_COLOR = 1\" ); # baseline = (\n");
    unlink(path);
}

Test(quirks, a_file_that_cannot_be_read_is_not_changed)
{
    char path[64];
    struct harness_error error = { "" };
    const struct harness_accepted entry = { .bucket = "b", .version = 2 };
    write_file(path, "version = 1;\nnonsense = 3;\n");
    cr_expect_eq(harness_quirks_accept(path, &entry, &error), HARNESS_BAD_INPUT);
    expect_file(path, "version = 1;\nnonsense = 3;\n");
    unlink(path);
}

Test(quirks, choices_are_written_read_back_and_written_over)
{
    char path[64];
    struct harness_error error = { "" };
    bool known[PICA_CHOICES];
    struct pica_choices choices = { { 0 } };
    write_file(path, before);
    memset(known, 1, sizeof known);
    known[0] = false;
    choices.sides[PICA_CHOICE_ZERO_AREA] = 1;
    for (int turn = 0; turn < 2; turn++) {
        cr_assert_eq(harness_quirks_write_choices(path, &choices, known, &error), HARNESS_OK, "%s", error.message);
        char *const now = read_file(path);
        cr_expect_eq(strncmp(now, before, strlen(before)), 0, "the rest of the file stays");
        cr_expect_null(strstr(strstr(now, "choices = {") + 1, "choices = {"), "once");
        struct harness_quirks *const quirks = harness_quirks_create();
        cr_assert_eq(harness_quirks_parse(quirks, now, strlen(now), "q", &error), HARNESS_OK, "%s", error.message);
        cr_expect_eq(memcmp(&quirks->choices, &choices, sizeof choices), 0);
        harness_quirks_destroy(quirks);
        free(now);
    }
    unlink(path);
}

Test(quirks, a_reference_with_choices_is_a_backend)
{
    struct harness_backend backend;
    struct harness_error error = { "" };
    cr_assert_eq(harness_backend_open("reference+zero-area=drawn", &backend, &error), HARNESS_OK, "%s", error.message);
    cr_expect(backend.is_ours);
    cr_expect_eq(backend.scope.parts & (uint32_t)PICA_PART_EVENTS, 0, "events mean nothing");
    harness_backend_close(&backend);
    cr_expect_eq(harness_backend_open("reference+zero-area=dawn", &backend, &error), HARNESS_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, "'dawn'"), "%s", error.message);
    cr_expect_eq(harness_backend_open("reference+none=x", &backend, &error), HARNESS_BAD_INPUT);
}
