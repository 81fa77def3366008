/*
 * What a page of `picafuzz explore` holds, against what the backend says: buffers at each moment, fragments of pixels,
 * registers, commands, textures.
 */
#include "harness/explore/explore.h"
#include "harness/explore/draws.h"
#include "harness/case/formats.h"
#include "harness/run/backends.h"
#include "harness/run/load.h"
#include "tests/cli/command.h"
#include "tests/explore/data_files.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HALL   "corpus/captures/hall-f0.picacap"
#define MIRROR "corpus/captures/mirror-f0.picacap"

/* A case, its program, and backends that are open. */
struct bench {
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_backend backends[2];
    struct harness_runner *runners[2];
    size_t count;
    char directory[1024];
    struct harness_explored explored;
};

static void open_case(struct bench *bench, const char *path, const char *first, const char *second)
{
    const char *const names[2] = { first, second };
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    char whole[2048];
    struct harness_error error = { "" };
    memset(bench, 0, sizeof *bench);
    (void)snprintf(whole, sizeof whole, "%s/%s", PICAFUZZ_SOURCE_DIR, path);
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    cr_assert_eq(harness_load(bench->test_case, whole, NULL, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_case_setup(bench->test_case, bench->program, &error), HARNESS_OK, "%s", error.message);
    for (size_t i = 0; i < 2 && names[i] != NULL; i++) {
        cr_assert_eq(harness_backend_open(names[i], &bench->backends[i], &error), HARNESS_OK, "%s", error.message);
        cr_assert_eq(harness_runner_create(bench->backends[i].backend, &options, &bench->runners[i]), PICA_OK);
        harness_runner_restrict(bench->runners[i], &bench->backends[i].scope);
        bench->count++;
    }
}

static void close_case(struct bench *bench)
{
    for (size_t i = 0; i < bench->count; i++) {
        harness_runner_destroy(bench->runners[i]);
        harness_backend_close(&bench->backends[i]);
    }
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
}

static void explore(struct bench *bench, const char *name, const struct harness_explore_request *wanted)
{
    struct harness_explore_request request = *wanted;
    struct harness_error error = { "" };
    fresh_directory(bench->directory, sizeof bench->directory, name);
    request.title = "a \"title\" </script> & so on";
    request.directory = bench->directory;
    const enum harness_status status =
        harness_explore(&request, bench->runners[0], bench->runners[1], bench->program, &bench->explored, &error);
    cr_assert_eq(status, HARNESS_OK, "%s", error.message);
}

static const struct harness_explore_request usual = { .vertices = 2, .fragments = 1000000 };

static int number(const cJSON *object, const char *name)
{
    const cJSON *const item = cJSON_GetObjectItem(object, name);
    cr_assert(cJSON_IsNumber(item), "%s", name);
    return item->valueint;
}

/* ---------------------------------------------------------------------------------------------------------- buffers */

/* A buffer as a side shows it at a moment: lines from the top. */
static uint8_t *film_picture(const struct bench *bench, const cJSON *data, int side, int surface, uint32_t moment)
{
    const cJSON *const surfaces = cJSON_GetObjectItem(data, "surfaces");
    const cJSON *const wanted = cJSON_GetArrayItem(surfaces, surface);
    const size_t width = (size_t)number(wanted, "width"), bytes = (size_t)number(wanted, "bytes");
    uint8_t *const pixels = calloc(width * (size_t)number(wanted, "height"), bytes);
    char name[64];
    (void)snprintf(name, sizeof name, "buffers/%d-%u", side, (unsigned)moment / (unsigned)number(data, "chunk"));
    struct bytes buffers = data_file(bench->directory, name);
    while (buffers.at < buffers.size && take32(&buffers) <= moment)
        for (uint32_t left = take32(&buffers); left > 0; left--) {
            const int index = (int)take16(&buffers);
            const size_t x = take16(&buffers), y = take16(&buffers), w = take16(&buffers), h = take16(&buffers);
            const size_t each = (size_t)number(cJSON_GetArrayItem(surfaces, index), "bytes");
            for (size_t line = 0; index == surface && line < h; line++)
                memcpy(pixels + ((y + line) * width + x) * bytes, buffers.data + buffers.at + line * w * bytes,
                       w * bytes);
            buffers.at += w * h * each;
            cr_assert_leq(buffers.at, buffers.size);
        }
    free(buffers.data);
    return pixels;
}

static uint32_t hex_of(const cJSON *object, const char *name)
{
    return (uint32_t)strtoul(cJSON_GetStringValue(cJSON_GetObjectItem(object, name)), NULL, 16);
}

/* The colour buffer of the draw with this index, as the backend has it while it reports that draw. */
struct colour {
    struct bench *bench;
    uint32_t draw, count;
    struct oracle_surface surface;
    uint8_t *memory;
};

static void keep_colour(void *user, const struct pica_draw *draw)
{
    struct colour *const colour = user;
    if (colour->count++ != colour->draw)
        return;
    struct harness_runner *const runner = colour->bench->runners[0];
    cr_assert(oracle_color_surface(draw->registers, NULL, &colour->surface));
    const size_t size = oracle_surface_bytes(&colour->surface);
    colour->memory = malloc(size);
    cr_assert_eq(harness_runner_backend(runner)->read_memory(harness_runner_instance(runner), colour->surface.address,
                                                             colour->memory, size),
                 PICA_OK);
}

static struct colour run_for_colour(struct bench *bench, uint32_t draw)
{
    struct colour colour = { bench, draw, 0, { 0 }, NULL };
    struct harness_runner *const runner = bench->runners[0];
    const struct pica_backend *const backend = harness_runner_backend(runner);
    cr_assert_eq(harness_runner_load(runner, &bench->program->setup), PICA_OK);
    cr_assert_eq(backend->observe_draws(harness_runner_instance(runner), keep_colour, &colour), PICA_OK);
    for (uint32_t i = 0; i < bench->program->count; i++)
        cr_assert_eq(harness_runner_step(runner, &bench->program->operations[i]), PICA_OK);
    cr_assert_eq(backend->observe_draws(harness_runner_instance(runner), NULL, NULL), PICA_OK);
    cr_assert_not_null(colour.memory);
    return colour;
}

static void expect_film_of_draw(struct bench *bench, const cJSON *data, uint32_t index)
{
    const cJSON *const draw = cJSON_GetArrayItem(cJSON_GetObjectItem(data, "draws"), (int)index);
    const struct colour colour = run_for_colour(bench, index);
    const struct oracle_surface *const surface = &colour.surface;
    const uint32_t bytes = oracle_bytes_per_pixel(surface->format);
    uint8_t *const shown = film_picture(bench, data, 0, number(draw, "color"), (uint32_t)number(draw, "moment"));
    uint32_t differing = 0, coloured = 0;
    for (uint32_t y = 0; y < surface->height; y++)
        for (uint32_t x = 0; x < surface->width; x++) {
            const uint8_t *const stored = colour.memory + oracle_pixel_offset(surface, x, y);
            const uint8_t *const pixel = shown + ((size_t)y * surface->width + x) * bytes;
            differing += memcmp(stored, pixel, bytes) != 0;
            coloured += memcmp(stored, colour.memory + oracle_pixel_offset(surface, 0, 0), bytes) != 0;
        }
    cr_expect_eq(differing, 0, "draw %u: %u pixels differ", (unsigned)index, (unsigned)differing);
    cr_expect_neq(coloured, 0, "draw %u: one colour proves nothing", (unsigned)index);
    free(colour.memory);
    free(shown);
}

Test(explore, buffers_after_each_draw_are_those_of_the_backend)
{
    static const char *const paths[] = { HALL, MIRROR };
    for (size_t i = 0; i < 2; i++) {
        struct bench bench;
        open_case(&bench, paths[i], "reference", NULL);
        explore(&bench, "explore_films", &usual);
        cJSON *const data = data_json(bench.directory, "data");
        const uint32_t draws = (uint32_t)cJSON_GetArraySize(cJSON_GetObjectItem(data, "draws"));
        cr_expect_eq(draws, bench.explored.draws);
        cr_assert_gt(draws, 2);
        for (uint32_t draw = 0; draw < draws; draw++)
            expect_film_of_draw(&bench, data, draw);
        cJSON_Delete(data);
        close_case(&bench);
    }
}

/* ------------------------------------------------------------------------------------------------------------ tiles */

enum {
    MOST_VISITS = 4096
};

/* The fragments of one pixel, as the backend tells of them. */
struct visits {
    uint32_t x, y;
    struct pica_visit items[MOST_VISITS];
    size_t count;
};

static enum pica_visit_wish wants(void *user, uint32_t draw, uint32_t x, uint32_t y)
{
    const struct visits *const visits = user;
    (void)draw;
    return x == visits->x && y == visits->y ? PICA_VISIT_ALONE : PICA_VISIT_UNWANTED;
}

static void keep_visit(void *user, const struct pica_visit *visit)
{
    struct visits *const visits = user;
    cr_assert_lt(visits->count, MOST_VISITS);
    visits->items[visits->count++] = *visit;
}

static void run_for_visits(struct bench *bench, struct visits *visits)
{
    const struct pica_visits request = { wants, NULL, NULL, keep_visit, visits };
    cr_assert_eq(harness_runner_load(bench->runners[0], &bench->program->setup), PICA_OK);
    cr_assert_eq(harness_observe_visits(bench->runners[0], &request), PICA_OK);
    for (uint32_t i = 0; i < bench->program->count; i++)
        cr_assert_eq(harness_runner_step(bench->runners[0], &bench->program->operations[i]), PICA_OK);
    cr_assert_eq(harness_observe_visits(bench->runners[0], NULL), PICA_OK);
}

struct told {
    uint32_t moment, triangle, place, flags, color, depth, before_color, before_depth;
};

/* What a fragment found, where the file does not say: what the one before it at its place left. */
static void fill_before(struct bytes *tile, struct told *told, uint32_t count, bool is_color)
{
    uint32_t last[1024] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        if ((told[i].flags & (is_color ? 8u : 16u)) == 0)
            continue;
        const bool is_given = (told[i].flags & (is_color ? 32u : 64u)) != 0;
        *(is_color ? &told[i].before_color : &told[i].before_depth) = is_given ? take32(tile) : last[told[i].place];
        last[told[i].place] = is_color ? told[i].color : told[i].depth;
    }
}

static struct told *read_fragments(struct bytes *tile, uint32_t *count)
{
    *count = take32(tile);
    struct told *const told = calloc(*count + 1, sizeof *told);
    for (uint32_t i = 0; i < *count; i++)
        told[i].moment = take32(tile);
    for (uint32_t i = 0; i < *count; i++)
        told[i].triangle = take32(tile);
    for (uint32_t i = 0; i < *count; i++)
        told[i].place = take16(tile);
    for (uint32_t i = 0; i < *count; i++)
        told[i].flags = take8(tile);
    for (uint32_t i = 0; i < *count; i++)
        told[i].color = take32(tile);
    for (uint32_t i = 0; i < *count; i++)
        told[i].depth = take32(tile);
    fill_before(tile, told, *count, true);
    fill_before(tile, told, *count, false);
    return told;
}

static void expect_same(const cJSON *data, const struct told *told, const struct pica_visit *visit)
{
    const cJSON *const draw = cJSON_GetArrayItem(cJSON_GetObjectItem(data, "draws"), (int)visit->draw);
    cr_expect_eq(told->moment, (uint32_t)number(draw, "moment"));
    cr_expect_eq(told->triangle, visit->triangle);
    cr_expect_eq(told->flags & 3u, (uint32_t)visit->end);
    cr_expect_eq((told->flags & 4u) != 0, visit->has_written);
    cr_expect_eq((told->flags & 8u) != 0, visit->color.bytes != 0);
    cr_expect_eq((told->flags & 16u) != 0, visit->depth.bytes != 0);
    cr_expect_eq(told->color, visit->color.after);
    cr_expect_eq(told->depth, visit->depth.after);
    cr_expect_eq(told->before_color, visit->color.before);
    cr_expect_eq(told->before_depth, visit->depth.before);
}

/* Returns how many fragments the pixel has. */
static size_t expect_history(struct bench *bench, const cJSON *data, uint32_t x, uint32_t y)
{
    static struct visits visits;
    char name[64];
    uint32_t count, found = 0;
    visits = (struct visits){ .x = x, .y = y };
    run_for_visits(bench, &visits);
    (void)snprintf(name, sizeof name, "tiles/%u-%u", (unsigned)x / 32, (unsigned)y / 32);
    struct bytes tile = data_file(bench->directory, name);
    struct told *const told = read_fragments(&tile, &count);
    for (uint32_t i = 0; i < count; i++)
        if (told[i].place == y % 32 * 32 + x % 32 && found++ < visits.count)
            expect_same(data, &told[i], &visits.items[found - 1]);
    cr_expect_eq(found, visits.count, "pixel %u,%u", (unsigned)x, (unsigned)y);
    free(told);
    free(tile.data);
    return found;
}

Test(explore, a_pixels_history_is_what_the_backend_tells_of_it)
{
    struct bench bench;
    size_t fragments = 0;
    open_case(&bench, MIRROR, "reference", NULL);
    explore(&bench, "explore_tiles", &usual);
    cJSON *const data = data_json(bench.directory, "data");
    for (uint32_t i = 0; i < 24; i++)
        fragments += expect_history(&bench, data, 5 * i % 64, 40 + 7 * i % 24);
    cr_expect_gt(fragments, 24, "they reached next to nothing");
    cJSON_Delete(data);
    close_case(&bench);
}

Test(explore, fills_and_transfers_are_in_a_pixels_history)
{
    struct bench bench;
    uint32_t count, filled = 0, transferred = 0;
    open_case(&bench, HALL, "reference", NULL);
    explore(&bench, "explore_changes", &usual);
    cJSON *const data = data_json(bench.directory, "data");
    const cJSON *const operations = cJSON_GetObjectItem(data, "operations");
    struct bytes tile = data_file(bench.directory, "tiles/1-1");
    free(read_fragments(&tile, &count));
    for (uint32_t left = take32(&tile); left > 0; left--) {
        const uint32_t moment = take32(&tile), surface = take16(&tile);
        const cJSON *operation = NULL;
        tile.at += 2;
        const uint32_t before = take32(&tile), after = take32(&tile);
        cJSON_ArrayForEach(operation, operations) if ((uint32_t)number(operation, "moment") == moment)
        {
            const char *const text = cJSON_GetStringValue(cJSON_GetObjectItem(operation, "text"));
            filled += strncmp(text, "memory fill", 11) == 0 && surface == 0 && before == 0 && after == 0x8090A0;
            transferred += strncmp(text, "display transfer", 16) == 0;
        }
    }
    cr_expect_eq(tile.at, tile.size);
    cr_expect_eq(filled, 1024, "the fill changes the whole tile");
    cr_expect_gt(transferred, 0);
    free(tile.data);
    cJSON_Delete(data);
    close_case(&bench);
}

Test(explore, more_fragments_than_wanted_are_left_out_and_that_is_said)
{
    struct bench bench;
    struct harness_explore_request few = usual;
    few.fragments = 1000;
    open_case(&bench, HALL, "reference", NULL);
    explore(&bench, "explore_cut", &few);
    cJSON *const data = data_json(bench.directory, "data");
    cr_expect(bench.explored.is_cut);
    cr_expect_eq(bench.explored.records, 1000);
    cr_expect(cJSON_IsTrue(cJSON_GetObjectItem(data, "cut")));
    cJSON_Delete(data);
    explore(&bench, "explore_cut", &usual);
    cr_expect(!bench.explored.is_cut);
    close_case(&bench);
}

static bool tile_has(const struct bench *bench, const char *name, const char *words)
{
    struct bytes tile = data_file(bench->directory, name);
    bool has = false;
    const size_t length = strlen(words);
    for (size_t i = 0; !has && i + length <= tile.size; i++)
        has = memcmp(tile.data + i, words, length) == 0;
    free(tile.data);
    return has;
}

Test(explore, chosen_pixels_show_each_stages_value)
{
    struct bench bench;
    struct harness_explore_request chosen = usual;
    chosen.regions[0] = (struct harness_explore_region){ 40, 40, 2, 1 };
    chosen.region_count = 1;
    open_case(&bench, HALL, "reference", NULL);
    explore(&bench, "explore_steps", &chosen);
    cr_expect(tile_has(&bench, "tiles/1-1", "combiner, fragment colour: "));
    cr_expect(!tile_has(&bench, "tiles/2-1", "combiner, fragment colour: "));
    close_case(&bench);
}

/* ----------------------------------------------------------------------------------------------- texts and textures */

static const cJSON *moment_text(const cJSON *chunk, int moment)
{
    char name[16];
    (void)snprintf(name, sizeof name, "%d", moment);
    const cJSON *const entry = cJSON_GetObjectItem(chunk, name);
    cr_assert_not_null(entry, "moment %d", moment);
    return entry;
}

/* The value of a register at the end of a chunk's first moments. */
static const char *register_at(const cJSON *chunk, int moment, const char *name)
{
    const char *value = NULL;
    for (int m = 0; m <= moment; m++) {
        const cJSON *const entry = moment_text(chunk, m), *row = NULL;
        const bool is_first = cJSON_HasObjectItem(entry, "all");
        const cJSON *const rows = cJSON_GetObjectItem(entry, is_first ? "all" : "registers");
        cJSON_ArrayForEach(row, rows) if (strcmp(cJSON_GetStringValue(cJSON_GetArrayItem(row, 1)), name) == 0) value =
            cJSON_GetStringValue(cJSON_GetArrayItem(row, 2));
    }
    return value != NULL ? value : "none";
}

Test(explore, moments_tell_their_commands_registers_and_vertices)
{
    struct bench bench;
    open_case(&bench, HALL, "reference", NULL);
    explore(&bench, "explore_texts", &usual);
    cJSON *const data = data_json(bench.directory, "data"), *const chunk = data_json(bench.directory, "texts/0");
    const cJSON *draw = NULL;
    cJSON_ArrayForEach(draw, cJSON_GetObjectItem(data, "draws"))
    {
        const int moment = number(draw, "moment");
        const cJSON *const entry = moment_text(chunk, moment);
        const cJSON *const part = cJSON_GetArrayItem(cJSON_GetObjectItem(entry, "commands"), 0);
        const char *const text = cJSON_GetStringValue(cJSON_GetObjectItem(part, "text"));
        cr_assert_not_null(text);
        cr_expect_not_null(strstr(text, "DRAWARRAYS = "));
        cr_expect_eq(strlen(strstr(text, "DRAWARRAYS = ")), strlen("DRAWARRAYS = 1\n"), "the draw comes last: %s",
                     text);
        cr_expect_eq(hex_of(part, "list"), hex_of(draw, "list"));
        cr_expect_str_eq(register_at(chunk, moment, "VIEWPORT_WIDTH"), " { half_size = 64.0 }");
        const char *const vertices = cJSON_GetStringValue(cJSON_GetObjectItem(entry, "vertices"));
        cr_assert_not_null(vertices);
        cr_expect_not_null(strstr(vertices, "\n1\tfetch, attribute 0: "));
        cr_expect_null(strstr(vertices, "\n2\t"), "two vertices were wanted");
    }
    cr_expect_str_eq(register_at(chunk, 0, "VIEWPORT_WIDTH"), "none");
    cJSON_Delete(chunk);
    cJSON_Delete(data);
    close_case(&bench);
}

Test(explore, the_title_is_text_and_files_hold_no_markup)
{
    struct bench bench;
    static char text[1 << 16];
    char path[2048];
    open_case(&bench, "corpus/seeds/fill/widths.pcase", "reference", NULL);
    explore(&bench, "explore_title", &usual);
    cJSON *const data = data_json(bench.directory, "data");
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(data, "title")), "a \"title\" </script> & so on");
    (void)snprintf(path, sizeof path, "%s/data.js", bench.directory);
    FILE *const file = fopen(path, "r");
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    cr_expect_null(strchr(text, '<'));
    cJSON_Delete(data);
    close_case(&bench);
}

/* Texel (0, 0) is in the upper left corner: memory row 0 (TEX-21), the first of its tile (TEX-22); level 1 follows the
 * 64 texels of level 0 (MIP-01). */
Test(explore, TEX_21_textures_are_upright)
{
    static const char text[] = "pcase 1\nwindow 0x20000000 size 0x1000\n"
                               "memory 0x20000000 bytes { 00f8 e007 }\nmemory 0x20000080 bytes { 1f00 }\n"
                               "run 0x20000800 {\n"
                               "    TEXUNIT0_DIM { height = 8, width = 8 }\n    TEXUNIT0_LOD { max_level = 1 }\n"
                               "    TEXUNIT0_ADDR1 { address = 0x20000000 }\n    TEXUNIT0_TYPE { format = rgb565 }\n"
                               "    TEXUNIT_CONFIG { unit0_enable = 1 }\n    FINALIZE = 0x12345678\n}\n";
    static const uint8_t red[4] = { 255, 0, 0, 255 }, green[4] = { 0, 255, 0, 255 }, blue[4] = { 0, 0, 255, 255 };
    struct bench bench;
    struct pica_image image;
    struct harness_error error = { "" };
    uint8_t rgba[256];
    open_case(&bench, HALL, "reference", NULL);
    struct harness_runner *const runner = bench.runners[0];
    cr_assert_eq(harness_pcase_read(bench.test_case, text, sizeof text - 1, "texture", &error), HARNESS_OK, "%s",
                 error.message);
    cr_assert_eq(harness_case_setup(bench.test_case, bench.program, &error), HARNESS_OK, "%s", error.message);
    cr_assert_eq(harness_runner_load(runner, &bench.program->setup), PICA_OK);
    cr_expect_eq(harness_find_image(runner, 0, 0, 0, &image), PICA_BAD_ARGUMENT, "the unit is off");
    for (uint32_t i = 0; i < bench.program->count; i++)
        cr_assert_eq(harness_runner_step(runner, &bench.program->operations[i]), PICA_OK);
    cr_assert_eq(harness_find_image(runner, 0, 0, 0, &image), PICA_OK);
    cr_expect(image.width == 8 && image.height == 8 && image.levels == 2 && image.faces == 1 && image.bytes == 128);
    cr_assert_eq(harness_read_image(runner, &image, rgba, sizeof rgba), PICA_OK);
    cr_expect_arr_eq(rgba, red, 4);
    cr_expect_arr_eq(rgba + 4, green, 4);
    cr_expect_eq(harness_read_image(runner, &image, rgba, sizeof rgba - 1), PICA_BAD_ARGUMENT);
    cr_assert_eq(harness_find_image(runner, 0, 0, 1, &image), PICA_OK);
    cr_expect(image.width == 4 && image.address == 0x20000080);
    cr_assert_eq(harness_read_image(runner, &image, rgba, 64), PICA_OK);
    cr_expect_arr_eq(rgba, blue, 4);
    cr_expect_eq(harness_find_image(runner, 0, 0, 2, &image), PICA_BAD_ARGUMENT);
    cr_expect_eq(harness_find_image(runner, 0, 1, 0, &image), PICA_BAD_ARGUMENT);
    cr_expect_eq(harness_find_image(runner, 3, 0, 0, &image), PICA_BAD_ARGUMENT);
    close_case(&bench);
}

/* -------------------------------------------------------------------------------------------------------- two sides */

Test(explore, where_both_sides_agree_there_is_one_film)
{
    struct bench bench;
    open_case(&bench, HALL, "reference", "fast");
    explore(&bench, "explore_agree", &usual);
    cJSON *const data = data_json(bench.directory, "data");
    cr_expect(!bench.explored.differs && bench.explored.right_has_draws);
    cr_expect_eq(cJSON_GetArraySize(cJSON_GetObjectItem(data, "differing")), 0);
    cr_expect_null(cJSON_GetObjectItem(data, "mark"));
    cr_expect(data_file_exists(bench.directory, "buffers/0-0") && !data_file_exists(bench.directory, "buffers/1-0"));
    cJSON_Delete(data);
    close_case(&bench);
}

/* A plug-in is read after operations only. */
Test(explore, the_first_difference_is_marked)
{
    struct bench bench;
    open_case(&bench, HALL, "reference", PICAFUZZ_BINARY_DIR "/lib/crooked.so");
    explore(&bench, "explore_differ", &usual);
    cJSON *const data = data_json(bench.directory, "data");
    const cJSON *const mark = cJSON_GetObjectItem(data, "mark");
    cr_assert(bench.explored.differs && !bench.explored.right_has_draws && mark != NULL);
    const uint32_t moment = (uint32_t)number(mark, "moment");
    const int surface = number(mark, "surface");
    cr_expect_eq(cJSON_GetArrayItem(cJSON_GetObjectItem(data, "differing"), 0)->valueint, (int)moment);
    cr_expect_not_null(
        strstr(cJSON_GetStringValue(cJSON_GetObjectItem(data, "location")), "draw       0 of the operation"));
    uint8_t *const left = film_picture(&bench, data, 0, surface, moment);
    uint8_t *const right = film_picture(&bench, data, 1, surface, moment);
    const cJSON *const buffer = cJSON_GetArrayItem(cJSON_GetObjectItem(data, "surfaces"), surface);
    const size_t bytes = (size_t)number(buffer, "bytes");
    const size_t at =
        (size_t)((number(buffer, "height") - 1 - number(mark, "y")) * number(buffer, "width") + number(mark, "x"));
    cr_expect_arr_neq(left + at * bytes, right + at * bytes, bytes);
    char tile[64];
    (void)snprintf(tile, sizeof tile, "tiles/%d-%d", number(mark, "x") / 32, number(mark, "y") / 32);
    cr_expect(tile_has(&bench, tile, "combiner, fragment colour: "), "the differing pixel shows its stages");
    free(left);
    free(right);
    cJSON_Delete(data);
    close_case(&bench);
}

Test(explore, any_other_backend_is_refused_on_the_left)
{
    struct bench bench;
    struct harness_explore_request request = usual;
    struct harness_error error = { "" };
    open_case(&bench, HALL, "fast", NULL);
    fresh_directory(bench.directory, sizeof bench.directory, "explore_refused");
    request.title = "";
    request.directory = bench.directory;
    const enum harness_status status =
        harness_explore(&request, bench.runners[0], NULL, bench.program, &bench.explored, &error);
    cr_expect_eq(status, HARNESS_HOST, "%d", status);
    close_case(&bench);
}
