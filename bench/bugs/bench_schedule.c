/*
 * What each way to a new case is worth: how often it shows a planted bug that its parents do not show, and what it
 * costs. The ways are the kinds of mutation and of crossover, several changes at once, and cases made anew; parents
 * are the pool of an aged campaign (campaign.h) or the files of a directory. Each child runs on the sound backend once
 * and on every library. bench/bugs/schedule makes weights of it.
 */
#include "bench/bugs/campaign.h"
#include "bench/measure.h"
#include "harness/case/formats.h"
#include "harness/cli/options.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/run/backends.h"
#include "harness/run/pair.h"
#include "harness/run/runner.h"
#include "oracles/equal.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_LIBRARIES = 128,
    MOST_WAYS = 80,
    MOST_PARENTS = 4096,
    AGED_PARENTS = 512,
    AREAS = 64,
    DENSITIES = 9, /* cases by how many areas they have: 0 to 3, 4 to 7, ... */
    DENSITY_STEP = 4
};

struct parent {
    uint8_t *bytes;
    size_t size;
};

struct way {
    char name[48];
    enum {
        CHANGE,        /* one change of kind `number` */
        CROSS,         /* one crossover of kind `number` */
        CROSS_FRESH,   /* any crossover whose second parent is made anew */
        CHANGES,       /* `number` mutations as engines do them */
        FRESH,         /* made anew, in mode `number` */
        FRESH_CHANGED, /* made anew, then one mutation */
    } sort;
    uint32_t number;
    uint32_t breakage; /* FRESH */
    uint32_t weight;   /* how often it is tried */
    uint64_t tried, made;
    double make_seconds, sound_seconds, library_seconds;
    uint64_t shown[MOST_LIBRARIES];
};

struct library {
    const char *path;
    struct harness_backend backend;
    struct harness_runner *runner;
    uint64_t unconfirmed, shown_by_parent;
};

struct tally {
    uint64_t cases;
    double seconds;
    uint64_t shown[MOST_LIBRARIES];
};

struct bench {
    struct harness_backend sound_backend;
    struct harness_runner *sound;
    struct library libraries[MOST_LIBRARIES];
    size_t library_count;
    struct way ways[MOST_WAYS];
    size_t way_count;
    uint32_t weights[MOST_WAYS];
    struct parent parents[MOST_PARENTS];
    size_t parent_count;
    struct harness_mutator *mutator;
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_random random;
    struct harness_error error;
    struct tally areas[AREAS], densities[DENSITIES]; /* of cases made anew */
    uint8_t child[HARNESS_MAX_INPUT], other[HARNESS_MAX_INPUT];
};

struct request {
    uint64_t seed, age, cases;
    double seconds;
    const char *age_text, *corpus, *ways;
};

/* What a child was made of. */
struct made {
    size_t size;
    const struct parent *parents[2]; /* NULL: none, or made anew */
    bool tallied;                    /* made anew, with `areas` */
    uint64_t areas;
};

static const struct pica_options machine = { .instruction_sets = UINT32_MAX };

/* ------------------------------------------------------------------------------------------------------------- ways */

static void add_way(struct bench *bench, const char *prefix, const char *name, struct way way)
{
    if (bench->way_count == MOST_WAYS)
        return;
    (void)snprintf(way.name, sizeof way.name, "%s%s", prefix, name);
    bench->weights[bench->way_count] = way.weight;
    bench->ways[bench->way_count++] = way;
}

/* `which`: NULL, or only the ways whose names begin with it. */
static void add_ways(struct bench *bench, const char *which)
{
    static const uint32_t numbers[] = { 1, 2, 4, 8 };
    for (uint32_t i = 0; i < harness_mutation_kinds(); i++)
        add_way(bench, "", harness_mutation_kind_name(i), (struct way){ .sort = CHANGE, .number = i, .weight = 2 });
    for (uint32_t i = 0; i < harness_crossover_kinds(); i++)
        add_way(bench, "cross-", harness_crossover_kind_name(i),
                (struct way){ .sort = CROSS, .number = i, .weight = 2 });
    add_way(bench, "cross-", "fresh", (struct way){ .sort = CROSS_FRESH, .weight = 3 });
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "%u", (unsigned)numbers[i]);
        add_way(bench, "changes-", name, (struct way){ .sort = CHANGES, .number = numbers[i], .weight = 3 });
    }
    add_way(bench, "fresh", "", (struct way){ .sort = FRESH, .number = HARNESS_GENERATE_MIXED, .weight = 12 });
    add_way(bench, "fresh-", "defined", (struct way){ .sort = FRESH, .number = HARNESS_GENERATE_DEFINED, .weight = 3 });
    add_way(bench, "fresh-", "whole",
            (struct way){ .sort = FRESH, .number = HARNESS_GENERATE_MIXED, .breakage = 1, .weight = 3 });
    add_way(bench, "fresh-", "broken",
            (struct way){ .sort = FRESH, .number = HARNESS_GENERATE_MIXED, .breakage = 100, .weight = 3 });
    add_way(bench, "fresh-", "raw", (struct way){ .sort = FRESH, .number = HARNESS_GENERATE_RAW, .weight = 3 });
    add_way(bench, "fresh-", "changed", (struct way){ .sort = FRESH_CHANGED, .weight = 3 });
    for (size_t i = 0; which != NULL && i < bench->way_count; i++)
        if (strncmp(bench->ways[i].name, which, strlen(which)) != 0)
            bench->weights[i] = 0;
}

static const struct parent *any_parent(struct bench *bench)
{
    return &bench->parents[harness_random_below(&bench->random, (uint32_t)bench->parent_count)];
}

/* The bytes of a case made anew; 0 if it is too large. */
static size_t generate(struct bench *bench, const struct way *way, uint8_t *out, uint64_t *areas)
{
    const struct harness_generate_options options = { .mode = (enum harness_generate_mode)way->number,
                                                      .breakage = way->breakage };
    size_t size = 0;
    *areas = harness_generate(bench->test_case, harness_random_next(&bench->random), &options);
    return harness_pcb_encode(bench->test_case, out, HARNESS_MAX_INPUT, &size, NULL) == HARNESS_OK ? size : 0;
}

static size_t change(struct bench *bench, const struct way *way, struct made *made, uint64_t seed)
{
    const struct parent *const parent = made->parents[0] = any_parent(bench);
    size_t size = parent->size;
    memcpy(bench->child, parent->bytes, size);
    if (way->sort == CHANGE)
        return harness_mutate_by(bench->mutator, way->number, bench->child, size, sizeof bench->child, seed);
    for (uint32_t i = 0; i < way->number; i++)
        size = harness_mutate(bench->mutator, bench->child, size, sizeof bench->child, seed + i, NULL);
    return size;
}

static size_t cross(struct bench *bench, const struct way *way, struct made *made, uint64_t seed)
{
    static const struct way anew = { .sort = FRESH };
    const struct parent *const parent = made->parents[0] = any_parent(bench);
    struct parent other = { .bytes = bench->other };
    if (way->sort == CROSS_FRESH) {
        uint64_t areas;
        other.size = generate(bench, &anew, bench->other, &areas);
        return harness_crossover(bench->mutator, parent->bytes, parent->size, other.bytes, other.size, bench->child,
                                 sizeof bench->child, seed);
    }
    const struct parent *const second = made->parents[1] = any_parent(bench);
    return harness_crossover_by(bench->mutator, way->number, parent->bytes, parent->size, second->bytes, second->size,
                                bench->child, sizeof bench->child, seed);
}

/* Into bench->child; size 0: the parents have nothing for it. */
static struct made make(struct bench *bench, const struct way *way)
{
    struct made made = { 0 };
    const uint64_t seed = harness_random_next(&bench->random);
    switch (way->sort) {
    case CHANGE:
    case CHANGES: made.size = change(bench, way, &made, seed); break;
    case CROSS:
    case CROSS_FRESH: made.size = cross(bench, way, &made, seed); break;
    case FRESH:
        made.size = generate(bench, way, bench->child, &made.areas);
        made.tallied = way->number != HARNESS_GENERATE_RAW;
        break;
    case FRESH_CHANGED:
        made.size = generate(bench, way, bench->child, &made.areas);
        made.size = harness_mutate(bench->mutator, bench->child, made.size, sizeof bench->child, seed, NULL);
        break;
    }
    return made;
}

/* -------------------------------------------------------------------------------------------------------------- run */

static bool set_up(struct bench *bench, const uint8_t *bytes, size_t size)
{
    if (!harness_pcb_decode(bench->test_case, bytes, size))
        return false;
    harness_bound_case(bench->test_case);
    return harness_case_setup(bench->test_case, bench->program, &bench->error) == HARNESS_OK;
}

static bool run(const struct bench *bench, struct harness_runner *runner, struct oracle_run *out)
{
    const struct harness_program *const program = bench->program;
    return harness_runner_run_case(runner, &program->setup, program->operations, program->count) == PICA_OK &&
           harness_runner_collect(runner, out) == PICA_OK;
}

/* Do instances that never ran another case differ on these bytes? */
static bool shows(struct bench *bench, const struct library *library, const uint8_t *bytes, size_t size, bool *good)
{
    struct harness_runner *sound = NULL, *other = NULL;
    struct oracle_run first, second;
    bool differ = false;
    *good = harness_runner_create(bench->sound_backend.backend, &machine, &sound) == PICA_OK &&
            harness_runner_create(library->backend.backend, &machine, &other) == PICA_OK &&
            set_up(bench, bytes, size) && run(bench, sound, &first) && run(bench, other, &second);
    if (*good)
        differ = !oracle_same(&first, &second);
    harness_runner_destroy(sound);
    harness_runner_destroy(other);
    return differ;
}

static void add_case(struct tally *tally, const void *seconds)
{
    tally->cases++;
    tally->seconds += *(const double *)seconds;
}

static void add_shown(struct tally *tally, const void *index)
{
    tally->shown[*(const size_t *)index]++;
}

/* For each area of the case, and for how many there are. */
static void each_tally(struct bench *bench, const struct made *made, void (*add)(struct tally *, const void *),
                       const void *what)
{
    uint32_t count = 0;
    if (!made->tallied)
        return;
    for (uint32_t area = 0; area < AREAS; area++)
        if ((made->areas >> area & 1u) != 0) {
            add(&bench->areas[area], what);
            count++;
        }
    const uint32_t density = count / DENSITY_STEP;
    add(&bench->densities[density < DENSITIES ? density : DENSITIES - 1], what);
}

/* A library differed: is it the child's merit? */
static bool credit(struct bench *bench, size_t index, const struct made *made, struct way *way)
{
    struct library *const library = &bench->libraries[index];
    bool good = true;
    if (!shows(bench, library, bench->child, made->size, &good)) {
        library->unconfirmed++;
        return good;
    }
    for (int i = 0; i < 2 && good; i++)
        if (made->parents[i] != NULL && shows(bench, library, made->parents[i]->bytes, made->parents[i]->size, &good)) {
            library->shown_by_parent++;
            return good;
        }
    way->shown[index]++;
    each_tally(bench, made, add_shown, &index);
    return good;
}

static bool run_child(struct bench *bench, struct way *way, const struct made *made)
{
    struct oracle_run first, other;
    bool differ[MOST_LIBRARIES] = { false };
    const double start = bench_cpu_seconds();
    if (!set_up(bench, bench->child, made->size) || !run(bench, bench->sound, &first))
        return false;
    const double middle = bench_cpu_seconds();
    for (size_t i = 0; i < bench->library_count; i++) {
        if (!run(bench, bench->libraries[i].runner, &other))
            return false;
        differ[i] = !oracle_same(&first, &other);
    }
    const double end = bench_cpu_seconds();
    const double library_seconds = bench->library_count != 0 ? (end - middle) / (double)bench->library_count : 0;
    way->sound_seconds += middle - start;
    way->library_seconds += library_seconds;
    const double seconds = middle - start + library_seconds;
    each_tally(bench, made, add_case, &seconds);
    bool good = true;
    for (size_t i = 0; i < bench->library_count && good; i++)
        good = !differ[i] || credit(bench, i, made, way);
    return good;
}

static bool run_children(struct bench *bench, const struct request *request)
{
    const double start = bench_cpu_seconds();
    for (uint64_t i = 0; i < request->cases && bench_cpu_seconds() - start < request->seconds; i++) {
        struct way *const way =
            &bench->ways[harness_random_weighted(&bench->random, bench->weights, (uint32_t)bench->way_count)];
        const double before = bench_cpu_seconds();
        const struct made made = make(bench, way);
        way->make_seconds += bench_cpu_seconds() - before;
        way->tried++;
        if (made.size == 0)
            continue;
        way->made++;
        if (!run_child(bench, way, &made))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------------------------------------------------- parents */

static bool add_parent(struct bench *bench, const uint8_t *bytes, size_t size)
{
    uint8_t *const copy = malloc(size != 0 ? size : 1);
    if (copy == NULL)
        return false;
    memcpy(copy, bytes, size);
    bench->parents[bench->parent_count++] = (struct parent){ copy, size };
    return true;
}

/* Children of an aged campaign. */
static bool age_parents(struct bench *bench, const struct request *request)
{
    struct bug_campaign *const campaign = bug_campaign_create(request->seed, request->age);
    bool good = campaign != NULL;
    while (good && bench->parent_count < AGED_PARENTS) {
        const uint8_t *bytes = NULL;
        const size_t size = bug_campaign_next(campaign, &bytes);
        good = add_parent(bench, bytes, size);
    }
    bug_campaign_destroy(campaign);
    return good;
}

static bool read_parent(struct bench *bench, const char *directory, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *const file = fopen(path, "rb");
    if (file == NULL)
        return true; /* gone since */
    const size_t size = fread(bench->other, 1, sizeof bench->other, file);
    (void)fclose(file);
    return size == 0 || add_parent(bench, bench->other, size);
}

static bool read_parents(struct bench *bench, const char *directory)
{
    DIR *const listing = opendir(directory);
    const struct dirent *entry;
    bool good = listing != NULL;
    while (good && bench->parent_count < MOST_PARENTS && (entry = readdir(listing)) != NULL)
        good = entry->d_name[0] == '.' || read_parent(bench, directory, entry->d_name);
    if (listing != NULL)
        (void)closedir(listing);
    if (!good || bench->parent_count == 0)
        harness_fail(&bench->error, HARNESS_HOST, "%s: no inputs there", directory);
    return good && bench->parent_count != 0;
}

/* ----------------------------------------------------------------------------------------------------------- answer */

static const char *base_name(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static cJSON *shown_object(const struct bench *bench, const uint64_t *shown)
{
    cJSON *const object = cJSON_CreateObject();
    for (size_t i = 0; i < bench->library_count; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s", base_name(bench->libraries[i].path));
        name[strcspn(name, ".")] = '\0';
        if (shown[i] != 0)
            cJSON_AddNumberToObject(object, name, (double)shown[i]);
    }
    return object;
}

static cJSON *tally_object(const struct bench *bench, const char *name, const struct tally *tally)
{
    cJSON *const item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", name);
    cJSON_AddNumberToObject(item, "cases", (double)tally->cases);
    cJSON_AddNumberToObject(item, "seconds", tally->seconds);
    cJSON_AddItemToObject(item, "shown", shown_object(bench, tally->shown));
    return item;
}

static void print_answer(const struct bench *bench, const struct request *request)
{
    cJSON *const answer = cJSON_CreateObject();
    cJSON_AddStringToObject(answer, "parents", request->corpus != NULL ? request->corpus : "aged");
    cJSON_AddNumberToObject(answer, "seed", (double)request->seed);
    cJSON_AddNumberToObject(answer, "parent_count", (double)bench->parent_count);
    cJSON *const libraries = cJSON_AddArrayToObject(answer, "libraries");
    for (size_t i = 0; i < bench->library_count; i++) {
        cJSON *const item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "path", bench->libraries[i].path);
        cJSON_AddNumberToObject(item, "unconfirmed", (double)bench->libraries[i].unconfirmed);
        cJSON_AddNumberToObject(item, "shown_by_parent", (double)bench->libraries[i].shown_by_parent);
        cJSON_AddItemToArray(libraries, item);
    }
    cJSON *const ways = cJSON_AddArrayToObject(answer, "ways");
    for (size_t i = 0; i < bench->way_count; i++) {
        const struct way *const way = &bench->ways[i];
        cJSON *const item = cJSON_CreateObject();
        cJSON_AddStringToObject(item, "name", way->name);
        cJSON_AddNumberToObject(item, "tried", (double)way->tried);
        cJSON_AddNumberToObject(item, "made", (double)way->made);
        cJSON_AddNumberToObject(item, "make_seconds", way->make_seconds);
        cJSON_AddNumberToObject(item, "sound_seconds", way->sound_seconds);
        cJSON_AddNumberToObject(item, "library_seconds", way->library_seconds);
        cJSON_AddItemToObject(item, "shown", shown_object(bench, way->shown));
        cJSON_AddItemToArray(ways, item);
    }
    cJSON *const areas = cJSON_AddArrayToObject(answer, "areas");
    for (uint32_t i = 0; i < AREAS && harness_generate_area_name(i) != NULL; i++)
        cJSON_AddItemToArray(areas, tally_object(bench, harness_generate_area_name(i), &bench->areas[i]));
    cJSON *const densities = cJSON_AddArrayToObject(answer, "densities");
    for (uint32_t i = 0; i < DENSITIES; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "%u to %u", (unsigned)(i * DENSITY_STEP),
                       (unsigned)((i + 1) * DENSITY_STEP - 1));
        cJSON_AddItemToArray(densities, tally_object(bench, name, &bench->densities[i]));
    }
    char *const line = cJSON_PrintUnformatted(answer);
    if (line != NULL)
        puts(line);
    cJSON_free(line);
    cJSON_Delete(answer);
}

/* ------------------------------------------------------------------------------------------------------------- main */

static const char about[] =
    "bench_schedule - which ways to a new case show planted bugs that the parents do not show, and what they cost\n"
    "\n"
    "usage: bench_schedule [options] LIBRARY...     a JSON object on standard output; bench/bugs/schedule reads it\n"
    "\n"
    "  bench_schedule --cases 20000 build/release/bugs/fog-difference-unsigned.so\n"
    "  bench_schedule --corpus corpus-of-a-campaign build/release/bugs/*.so   not those that crash or hang\n";

static const char exits[] = "exit codes: 0 measured, 2 bad options, 4 host trouble\n";

static const struct cli_option option_table[] = {
    { "seed", 's', CLI_LONG, 0, UINT64_MAX, offsetof(struct request, seed), "N", "of the children, and of the pool",
      NULL },
    { "cases", 'n', CLI_LONG, 1, UINT64_MAX, offsetof(struct request, cases), "N", "children", NULL },
    { "seconds", 0, CLI_TIME, 0, 86400, offsetof(struct request, seconds), "S",
      "of processor time; then it ends, whatever --cases", NULL },
    { "age", 0, CLI_TEXT, 0, 0, offsetof(struct request, age_text), "N",
      "parents: from a campaign that had so many children (50000 if not given)", NULL },
    { "corpus", 0, CLI_READ, 0, 0, offsetof(struct request, corpus), "DIRECTORY",
      "parents: the inputs there (.pcb), 4096 at most", NULL },
    { "ways", 0, CLI_TEXT, 0, 0, offsetof(struct request, ways), "WORD", "only those whose names begin so", NULL },
};

static const struct request defaults = { .seed = 1, .cases = 10000, .seconds = 86400, .age = 50000 };

static const struct cli_program program = {
    .options = { "bench_schedule", { { option_table, sizeof option_table / sizeof option_table[0], 0 } } },
    .about = about,
    .exits = exits,
    .defaults = &defaults,
    .request_size = sizeof defaults,
    .least_words = 1,
    .most_words = MOST_LIBRARIES,
};

static bool open_library(struct bench *bench, const char *path)
{
    struct library *const library = &bench->libraries[bench->library_count++];
    library->path = path;
    return harness_backend_open_here(path, &library->backend, &bench->error) == HARNESS_OK &&
           harness_runner_create(library->backend.backend, &machine, &library->runner) == PICA_OK;
}

static bool open_bench(struct bench *bench, const struct request *request, char **paths, int count)
{
    harness_random_init(&bench->random, request->seed);
    bench->mutator = harness_mutator_create();
    bench->test_case = harness_case_create();
    bench->program = harness_program_create();
    bool good = bench->mutator != NULL && bench->test_case != NULL && bench->program != NULL &&
                harness_backend_open("reference", &bench->sound_backend, &bench->error) == HARNESS_OK &&
                harness_runner_create(bench->sound_backend.backend, &machine, &bench->sound) == PICA_OK;
    for (int i = 0; i < count && good; i++)
        good = open_library(bench, paths[i]);
    if (!good)
        return false;
    add_ways(bench, request->ways);
    return request->corpus != NULL ? read_parents(bench, request->corpus) : age_parents(bench, request);
}

static void close_bench(struct bench *bench)
{
    for (size_t i = 0; i < bench->parent_count; i++)
        free(bench->parents[i].bytes);
    for (size_t i = 0; i < bench->library_count; i++) {
        harness_runner_destroy(bench->libraries[i].runner);
        harness_backend_close(&bench->libraries[i].backend);
    }
    harness_runner_destroy(bench->sound);
    harness_backend_close(&bench->sound_backend);
    harness_program_destroy(bench->program);
    harness_case_destroy(bench->test_case);
    harness_mutator_destroy(bench->mutator);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    struct request request;
    int code = 0;
    const int first = cli_program_parse(&program, argc, argv, &request, &code);
    if (first < 0)
        return code;
    if (request.age_text != NULL && !cli_number(request.age_text, 0, UINT64_MAX, &request.age)) {
        fprintf(stderr, "bench_schedule: --age: '%s' is not a number\n", request.age_text);
        return CLI_PROGRAM_USAGE;
    }
    const bool good = open_bench(&bench, &request, argv + first, argc - first) && run_children(&bench, &request);
    if (good)
        print_answer(&bench, &request);
    else
        fprintf(stderr, "bench_schedule: %s\n",
                bench.error.message[0] != '\0' ? bench.error.message : "no memory, or a backend failed");
    close_bench(&bench);
    return good ? 0 : 4;
}
