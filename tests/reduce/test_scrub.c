/* What is left of a texture and of vertices when only what a fault needs may stay. */
#include "harness/reduce/scrub.h"
#include "pica/regs.h"
#include "tests/reduce/faulty.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum {
    TEXTURE = 0x18001800,
    TEXTURE_BYTES = 256,
    KEPT = 32, /* offset of the texel that some faults look for */
    ATOM = 16,
    VERTICES_BYTES = 64
};

/* A texture full of "SECRET", "KEEP" among it. */
static void write_texture(uint8_t bytes[TEXTURE_BYTES])
{
    for (uint32_t i = 0; i < TEXTURE_BYTES; i++)
        bytes[i] = (uint8_t) "SECRET"[i % 6];
    memset(bytes + KEPT, 0x11, ATOM);
    memcpy(bytes + KEPT, "KEEP", 4);
}

/* Two draws of one quad with that texture; the first position is 0.3. */
static struct harness_case *make_case(void)
{
    static const char path[] = PICAFUZZ_SOURCE_DIR "/corpus/seeds/texture/linear-filter.pcase";
    static const float place = 0.3f;
    uint8_t texture[TEXTURE_BYTES];
    struct harness_error error = { "" };
    struct harness_data data;
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(test_case->chunks[1].data.kind, HARNESS_DATA_TABLE, "the seed is another one now");
    memcpy(test_case->chunks[1].data.bytes, &place, sizeof place);
    harness_case_remove_chunks(test_case, 2, 4);
    write_texture(texture);
    cr_assert(harness_data_bytes(test_case, &data, texture, sizeof texture));
    cr_assert_not_null(harness_case_add_chunk(test_case, TEXTURE, &data));
    cr_assert_not_null(harness_case_insert_chunk(test_case, 0, 0x18003C00, &data), "what nothing reads");
    harness_case_append(test_case, HARNESS_NOTE)->text = "SECRET";
    return test_case;
}

/* How often the word is in the file that a case makes, and in its contents. */
static unsigned count_secrets(const struct harness_case *test_case)
{
    struct harness_text text = { 0 };
    unsigned count = 0;
    cr_assert_eq(harness_pcase_write(test_case, &text, NULL), HARNESS_OK);
    count += strstr(harness_text_string(&text), "SECRET") != NULL;
    harness_text_free(&text);
    for (uint32_t i = 0; i < test_case->chunk_count; i++) {
        const struct harness_data *const data = &test_case->chunks[i].data;
        for (uint32_t at = 0; data->kind == HARNESS_DATA_BYTES && at + 6 <= data->size; at++)
            count += memcmp(data->bytes + at, "SECRET", 6) == 0;
    }
    return count;
}

static void scrub(struct harness_case *test_case, const struct faulty *faulty, struct harness_scrub_result *result)
{
    const struct harness_reduce_options options = { .probe = faulty->options, .agreeing = true };
    struct harness_error error = { "" };
    cr_assert_gt(count_secrets(test_case), 70);
    cr_assert_eq(harness_scrub(test_case, &options, result, &error), HARNESS_OK, "%s", error.message);
}

/* In a process that has run nothing else. */
static enum harness_outcome verdict(const struct faulty *faulty, const struct harness_case *test_case)
{
    struct harness_symptom symptom;
    struct harness_error error = { "" };
    struct harness_probe *probe = NULL;
    cr_assert_eq(harness_probe_create(&faulty->options, &probe, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_probe_try(probe, test_case, false, &symptom, &error), HARNESS_OK, "%s", error.message);
    harness_probe_destroy(probe);
    return symptom.kind;
}

static void expect_row(const struct harness_scrub_result *result, enum harness_read_kind kind, uint64_t bytes,
                       uint64_t made_up)
{
    cr_expect_eq(result->rows[kind].bytes, bytes, "%s: %u", harness_read_kind_name(kind),
                 (unsigned)result->rows[kind].bytes);
    cr_expect_eq(result->rows[kind].made_up, made_up, "%s: %u", harness_read_kind_name(kind),
                 (unsigned)result->rows[kind].made_up);
}

static void expect_texel_kept(const char *fault, enum harness_outcome kind)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_case *const test_case = make_case();
    faulty_open(&faulty, fault);
    scrub(test_case, &faulty, &result);
    cr_expect_eq(verdict(&faulty, test_case), kind, "%s", fault);
    cr_expect_eq(count_secrets(test_case), 0, "%s", fault);
    expect_row(&result, HARNESS_READ_TEXTURE, TEXTURE_BYTES, TEXTURE_BYTES - ATOM);
    expect_row(&result, HARNESS_READ_VERTICES, VERTICES_BYTES, VERTICES_BYTES);
    expect_row(&result, HARNESS_READ_NOTHING, TEXTURE_BYTES, TEXTURE_BYTES);
    cr_assert_eq(result.rest_count, 1);
    cr_expect_eq(result.rests[0].address, TEXTURE + KEPT);
    cr_expect_eq(result.rests[0].size, ATOM);
    cr_expect_not(result.rests[0].coarse);
    cr_expect(result.reduced.complete);
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

Test(scrub, keeps_the_texels_that_a_difference_needs_and_no_others)
{
    expect_texel_kept("marked-texel", HARNESS_DIVERGE);
}

Test(scrub, keeps_the_texels_that_a_crash_needs_and_no_others)
{
    expect_texel_kept("crash-marked-texel", HARNESS_CRASH);
}

Test(scrub, keeps_the_vertex_that_a_difference_needs)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_case *const test_case = make_case();
    faulty_open(&faulty, "marked-vertex");
    scrub(test_case, &faulty, &result);
    cr_expect_eq(verdict(&faulty, test_case), HARNESS_DIVERGE);
    cr_expect_eq(count_secrets(test_case), 0);
    expect_row(&result, HARNESS_READ_TEXTURE, TEXTURE_BYTES, TEXTURE_BYTES);
    expect_row(&result, HARNESS_READ_VERTICES, VERTICES_BYTES, VERTICES_BYTES - ATOM);
    cr_assert_geq(result.rest_count, 1);
    cr_expect_eq(result.rests[0].address, 0x18002000);
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

/* The attributes of a made-up vertex stay within the box that the real ones span. */
Test(scrub, leaves_nothing_where_the_backends_agree)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_case *const test_case = make_case();
    faulty_open(&faulty, "");
    scrub(test_case, &faulty, &result);
    cr_expect_eq(verdict(&faulty, test_case), HARNESS_AGREE);
    cr_expect_eq(count_secrets(test_case), 0);
    expect_row(&result, HARNESS_READ_TEXTURE, TEXTURE_BYTES, TEXTURE_BYTES);
    expect_row(&result, HARNESS_READ_VERTICES, VERTICES_BYTES, VERTICES_BYTES);
    cr_expect_eq(result.rest_count, 0);
    cr_expect_gt(result.texts, 1, "comments of the seed, and the note");
    for (uint32_t i = 0; i < VERTICES_BYTES / 4; i++) {
        float number = 0.0f;
        memcpy(&number, test_case->chunks[2].data.bytes + 4 * (size_t)i, sizeof number);
        cr_expect(number >= (i % 4 < 2 ? -1.0f : 0.0f) && number <= 1.0f, "%g", (double)number);
    }
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

static void set_register(struct harness_case *test_case, uint32_t id, uint32_t value)
{
    struct harness_list *const list = &test_case->operations[0].data.list;
    for (uint32_t i = 0; i < list->count; i++)
        if (list->commands[i].id == id)
            *harness_command_edit(harness_list_edit(list, i)) = value;
}

/* Of 64 KiB it needs four bytes: what is replaced at once is more than 16 bytes then, until the second look. */
Test(scrub, keeps_as_little_of_a_large_texture)
{
    enum {
        LARGE = 256 * 64 * 4
    };
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_data data;
    uint8_t *const bytes = calloc(LARGE, 1);
    struct harness_case *const test_case = make_case();
    for (uint32_t i = 0; i < LARGE; i += TEXTURE_BYTES)
        write_texture(bytes + i);
    cr_assert(harness_case_add_window(test_case, 0x20000000, LARGE));
    cr_assert(harness_data_bytes(test_case, &data, bytes, LARGE));
    cr_assert_not_null(harness_case_add_chunk(test_case, 0x20000000, &data));
    set_register(test_case, PICA_REG_TEXUNIT0_ADDR1, 0x20000000 / 8);
    set_register(test_case, PICA_REG_TEXUNIT0_DIM, 256u << 16 | 64u);
    faulty_open(&faulty, "marked-texel");
    scrub(test_case, &faulty, &result);
    cr_expect_eq(verdict(&faulty, test_case), HARNESS_DIVERGE);
    cr_expect_eq(count_secrets(test_case), 0);
    expect_row(&result, HARNESS_READ_TEXTURE, LARGE, LARGE - ATOM);
    free(bytes);
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

/* VTX-41: five vertices of two attributes in three words each. Everything else of the list stays, typed. */
Test(scrub, replaces_vertices_in_lists_and_nothing_else_of_them)
{
    static const char path[] = PICAFUZZ_SOURCE_DIR "/corpus/seeds/fetch/immediate-mode.pcase";
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = harness_case_create();
    cr_assert_eq(harness_case_load_file(test_case, path, NULL, NULL, &error), HARNESS_OK, "%s", error.message);
    struct harness_case *const before = harness_case_clone(test_case);
    faulty_open(&faulty, "");
    const struct harness_reduce_options options = { .probe = faulty.options, .agreeing = true };
    cr_assert_eq(harness_scrub(test_case, &options, &result, &error), HARNESS_OK, "%s", error.message);
    expect_row(&result, HARNESS_READ_SENT, 120, 120);
    cr_assert_eq(test_case->operations[0].kind, HARNESS_RUN);
    const struct harness_list *const lists[2] = { &before->operations[0].data.list,
                                                  &test_case->operations[0].data.list };
    cr_assert_eq(lists[0]->count, lists[1]->count);
    for (uint32_t i = 0; i < lists[0]->count; i++) {
        const struct harness_command *const old = &lists[0]->commands[i], *const now = &lists[1]->commands[i];
        const bool same = memcmp(old->parameters, now->parameters, old->count * sizeof *old->parameters) == 0;
        cr_assert_eq(old->count, now->count);
        cr_expect_eq(old->id, now->id);
        cr_expect_eq(same, old->count != 30, "command %u", (unsigned)i);
    }
    harness_scrub_free(&result);
    harness_case_destroy(before);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

/* A texture that was loaded over another one: what was there before is read by nothing. */
Test(scrub, clears_what_was_loaded_over)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_case *const test_case = make_case();
    struct harness_data data;
    uint8_t texture[TEXTURE_BYTES];
    write_texture(texture);
    cr_assert(harness_data_bytes(test_case, &data, texture, sizeof texture));
    cr_assert_not_null(harness_case_insert_chunk(test_case, 0, TEXTURE, &data));
    faulty_open(&faulty, "marked-texel");
    scrub(test_case, &faulty, &result);
    cr_expect_eq(verdict(&faulty, test_case), HARNESS_DIVERGE);
    expect_row(&result, HARNESS_READ_TEXTURE, TEXTURE_BYTES, TEXTURE_BYTES - ATOM);
    expect_row(&result, HARNESS_READ_NOTHING, 2 * TEXTURE_BYTES, 2 * TEXTURE_BYTES);
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

static bool stop_at_once(void *user, const struct harness_reduce_progress *progress)
{
    (void)user;
    (void)progress;
    return false;
}

Test(scrub, stopped_it_leaves_a_case_that_shows_the_same)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = make_case();
    faulty_open(&faulty, "marked-texel");
    const struct harness_reduce_options options = { .probe = faulty.options, .watcher = stop_at_once };
    cr_assert_eq(harness_scrub(test_case, &options, &result, &error), HARNESS_OK, "%s", error.message);
    cr_expect_not(result.reduced.complete);
    cr_expect_eq(verdict(&faulty, test_case), HARNESS_DIVERGE);
    cr_expect_gt(result.rest_count, 0, "what was not tried yet is named");
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}

/* One backend has a verdict only if it crashes or hangs. */
Test(scrub, refuses_what_shows_nothing_unless_agreement_is_to_stay)
{
    struct faulty faulty;
    struct harness_scrub_result result;
    struct harness_error error = { "" };
    struct harness_case *const test_case = make_case();
    faulty_open(&faulty, "");
    const struct harness_reduce_options options = { .probe = faulty.options };
    cr_expect_eq(harness_scrub(test_case, &options, &result, &error), HARNESS_BAD_INPUT);
    harness_scrub_free(&result);
    harness_case_destroy(test_case);
    faulty_close(&faulty);
}
