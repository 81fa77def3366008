#include "harness/campaign/plan.h"

#include "harness/campaign/campaign_parts.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A line of the table. What is NULL or 0 is as always. */
struct line {
    const char *name;
    const char *preset, *target;
    enum harness_engine engine;
    enum harness_mutation mutation;
    enum harness_inputs inputs;
    unsigned weight; /* of its time */
    unsigned threads;
    unsigned capacity;
    const char *instruction_sets;
    bool float24, sanitized;
    const char *seeds; /* from the top of the tree */
    const char *what;
};

#define SEEDS "harness/targets/seeds/"
#define ASAN  "under AddressSanitizer + UndefinedBehaviorSanitizer"
#define MSAN  "under MemorySanitizer"

/* In the order in which they get their first turn. The quick ones that find most have most of the time; sanitizers see
 * the corpus of the others, so they need less. */
static const struct line table[] = {
    { .name = "pair", .preset = "fuzz", .target = "fuzz_pair", .weight = 6, .what = "by structure" },
    { .name = "afl",
      .preset = "afl",
      .target = "fuzz_pair_afl",
      .engine = HARNESS_ENGINE_AFL,
      .weight = 6,
      .what = "by structure, with AFL++" },
    { .name = "pair-asan", .preset = "asan", .target = "fuzz_pair", .weight = 3, .sanitized = true, .what = ASAN },
    { .name = "afl-bytes",
      .preset = "afl",
      .target = "fuzz_pair_afl",
      .engine = HARNESS_ENGINE_AFL,
      .mutation = HARNESS_MUTATION_BYTES,
      .weight = 2,
      .what = "by bytes (havoc), with AFL++" },
    { .name = "invariant",
      .preset = "fuzz",
      .target = "fuzz_invariant",
      .inputs = HARNESS_INPUTS_CASES,
      .weight = 2,
      .what = "the same result again, with any threads, instruction sets and capacity" },
    { .name = "metamorphic",
      .preset = "fuzz",
      .target = "fuzz_metamorphic",
      .inputs = HARNESS_INPUTS_CASES,
      .weight = 2,
      .what = "changes that must not matter" },
    { .name = "pair-msan", .preset = "msan", .target = "fuzz_pair", .weight = 2, .sanitized = true, .what = MSAN },
    { .name = "pair-threads", .preset = "fuzz", .target = "fuzz_pair", .weight = 2, .threads = 4, .what = "4 threads" },
    { .name = "pair-small",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 2,
      .capacity = 4,
      .what = "queues and caches of 4 entries" },
    { .name = "pair-small-threads",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .threads = 2,
      .capacity = 16,
      .what = "queues and caches of 16 entries, 2 threads" },
    { .name = "pair-f24",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .float24 = true,
      .what = "f24 numbers" },
    { .name = "pair-scalar",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .instruction_sets = "scalar",
      .what = "no vector instructions" },
    { .name = "pair-avx2",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .instruction_sets = "avx2",
      .what = "AVX2 at most" },
    { .name = "pair-avx512",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .instruction_sets = "avx512",
      .what = "AVX-512 at most" },
    { .name = "pair-neon",
      .preset = "fuzz",
      .target = "fuzz_pair",
      .weight = 1,
      .instruction_sets = "neon",
      .what = "NEON at most" },
    { .name = "afl-cmplog",
      .preset = "afl",
      .target = "fuzz_pair_afl",
      .engine = HARNESS_ENGINE_AFL,
      .mutation = HARNESS_MUTATION_CMPLOG,
      .weight = 1,
      .what = "by bytes, with compared values (CmpLog)" },
    { .name = "afl-asan",
      .preset = "afl-asan",
      .target = "fuzz_pair_afl",
      .engine = HARNESS_ENGINE_AFL,
      .weight = 1,
      .sanitized = true,
      .what = "AFL++, " ASAN },
    { .name = "invariant-asan",
      .preset = "asan",
      .target = "fuzz_invariant",
      .inputs = HARNESS_INPUTS_CASES,
      .weight = 1,
      .sanitized = true,
      .what = ASAN },
    { .name = "metamorphic-asan",
      .preset = "asan",
      .target = "fuzz_metamorphic",
      .inputs = HARNESS_INPUTS_CASES,
      .weight = 1,
      .sanitized = true,
      .what = ASAN },
    { .name = "console-gates",
      .preset = "asan",
      .target = "fuzz_console_gates",
      .inputs = HARNESS_INPUTS_CASES,
      .weight = 1,
      .sanitized = true,
      .what = "may a console run it?" },
#define UNIT(id, file, text)                                                                                          \
    {                                                                                                                 \
        .name = id, .preset = "asan", .target = file, .inputs = HARNESS_INPUTS_BYTES, .weight = 1, .sanitized = true, \
        .what = text                                                                                                  \
    }
#define READER(id, file, from, text)                                                                                  \
    {                                                                                                                 \
        .name = id, .preset = "asan", .target = file, .inputs = HARNESS_INPUTS_BYTES, .weight = 1, .sanitized = true, \
        .seeds = from, .what = text                                                                                   \
    }
    UNIT("commands", "fuzz_commands", "the parser of command lists alone"),
    UNIT("vertex-shader", "fuzz_vertex_shader", "vertex programs alone"),
    UNIT("geometry-shader", "fuzz_geometry_shader", "geometry programs alone"),
    UNIT("transfers", "fuzz_transfers", "fills, display transfers, texture copies alone"),
    UNIT("textures", "fuzz_textures", "texels alone"),
    READER("text", "fuzz_text", "corpus/seeds", "cases as text"),
    READER("importers", "fuzz_importers", "corpus/captures", "captures and lists"),
    READER("registers", "fuzz_registers", SEEDS "registers", "dumped registers"),
    READER("peel", "fuzz_peel", SEEDS "peel", "what a hunt avoids"),
    READER("quirks", "fuzz_quirks", SEEDS "quirks", "known differences"),
    READER("triage-index", "fuzz_triage_index", SEEDS "triage_index", "an index of findings"),
    READER("bucket-record", "fuzz_bucket_record", SEEDS "bucket_record", "the record of a bucket"),
    READER("reduction", "fuzz_reduction", SEEDS "reduction", "a reduction that was interrupted"),
    READER("coverage-level", "fuzz_coverage_level", SEEDS "coverage_level", "a level of coverage"),
    READER("stats", "fuzz_stats", SEEDS "stats", "what a campaign did"),
    READER("hunt-state", "fuzz_hunt_state", SEEDS "hunt_state", "how far a hunt is"),
    READER("recording", "fuzz_recording", SEEDS "recording", "recorded results"),
    READER("console-payload", "fuzz_console_payload", SEEDS "console_payload", "cases for a console"),
    READER("console-results", "fuzz_console_results", SEEDS "console_results", "a console's results"),
    UNIT("vectors", "fuzz_vectors", "the frozen pack"),
#undef UNIT
#undef READER
};

/* Does this build and this host have them? */
static bool has_instruction_sets(const char *name)
{
    const char *const here = harness_host_instruction_sets(), *const found = strstr(here, name);
    const size_t length = strlen(name);
    return found != NULL && (found[length] == '\0' || strchr(" ,", found[length]) != NULL);
}

static bool needs_mutator(const struct line *line)
{
    return line->engine == HARNESS_ENGINE_AFL && line->mutation == HARNESS_MUTATION_STRUCTURE;
}

static const char *find_lacking(const struct line *line, const char *path, const char *mutator)
{
    if (line->instruction_sets != NULL && !has_instruction_sets(line->instruction_sets))
        return "not on this host";
    if (line->engine == HARNESS_ENGINE_AFL && !campaign_in_path("afl-fuzz"))
        return "no afl-fuzz";
    if (needs_mutator(line) && access(path, X_OK) == 0 && access(mutator, R_OK) != 0)
        return "no mutator";
    return access(path, X_OK) == 0 ? NULL : "not built";
}

/* Where presets are built inside the tree, its files are near. NULL: not there. */
static const char *find_file(char *out, const char *builds, const char *format, const char *a, const char *b)
{
    char name[128];
    (void)snprintf(name, sizeof name, format, a, b);
    (void)snprintf(out, HARNESS_PLAN_PATH, "%.800s/%s", builds, name);
    return access(out, R_OK) == 0 ? out : NULL;
}

static void add_instance(struct harness_plan *plan, const struct line *line, const char *builds, const char *path)
{
    struct harness_plan_files *const files = &plan->files[plan->count];
    const bool bytes = line->inputs == HARNESS_INPUTS_BYTES;
    const char *const dictionary =
        bytes ? find_file(files->dictionary, builds, "%s/%s.dict", line->preset, line->target) : NULL;
    const char *const seeds = line->seeds != NULL ? find_file(files->seeds, builds, "%s%s", "../", line->seeds) : NULL;
    plan->instances[plan->count++] = (struct harness_campaign_instance){
        .name = line->name,
        .engine = line->engine,
        .mutation = line->mutation,
        .inputs = line->inputs,
        .target = path,
        .dictionary = dictionary,
        .seeds = seeds,
        .cmplog = line->mutation == HARNESS_MUTATION_CMPLOG ? plan->cmplog : NULL,
        .mutator = needs_mutator(line) ? files->mutator : NULL,
        .instruction_sets = line->instruction_sets,
        .threads = line->threads,
        .capacity = line->capacity,
        .float24 = line->float24,
        .sanitized = line->sanitized,
        .weight = line->weight,
    };
}

static void find_mutator(char *out, const struct line *line, const char *builds, const char *mutator)
{
    if (mutator != NULL)
        (void)snprintf(out, HARNESS_PLAN_PATH, "%s", mutator);
    else
        (void)snprintf(out, HARNESS_PLAN_PATH, "%.900s/%s/lib/mutator_afl.so", builds, line->preset);
}

void harness_plan_make(struct harness_plan *plan, const char *builds, const char *mutator)
{
    memset(plan, 0, sizeof *plan);
    (void)snprintf(plan->cmplog, sizeof plan->cmplog, "%.900s/afl-cmplog/bin/fuzz_pair_cmplog", builds);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct line *const line = &table[i];
        char *const path = plan->paths[i];
        (void)snprintf(path, sizeof plan->paths[i], "%.900s/%s/bin/%s", builds, line->preset, line->target);
        char *const found = plan->files[plan->count].mutator;
        find_mutator(found, line, builds, mutator);
        const bool logs = line->mutation == HARNESS_MUTATION_CMPLOG;
        struct harness_plan_entry *const entry = &plan->entries[plan->entry_count++];
        *entry = (struct harness_plan_entry){ line->name, line->preset, line->what, find_lacking(line, path, found) };
        if (entry->lacking == NULL && logs && access(plan->cmplog, X_OK) != 0) {
            entry->preset = "afl-cmplog";
            entry->lacking = "not built";
        }
        if (entry->lacking == NULL)
            add_instance(plan, line, builds, path);
    }
}

/* `word`: a name, or the beginning of some and a star. */
static bool matches(const char *name, const char *word)
{
    const size_t length = strlen(word);
    if (length != 0 && word[length - 1] == '*')
        return strncmp(name, word, length - 1) == 0;
    return strcmp(name, word) == 0;
}

static enum harness_status check_word(const struct harness_plan *plan, const char *word, struct harness_error *error)
{
    const struct harness_plan_entry *found = NULL;
    for (size_t i = 0; i < plan->entry_count; i++) {
        const struct harness_plan_entry *const entry = &plan->entries[i];
        if (!matches(entry->name, word))
            continue;
        found = entry;
        if (entry->lacking == NULL)
            return HARNESS_OK;
    }
    if (found == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "no instance is called '%s'; --instances list shows them", word);
    return harness_fail(error, HARNESS_HOST, "instance %s: %s (preset %s)", found->name, found->lacking, found->preset);
}

static bool is_wanted(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (matches(name, names[i]))
            return true;
    return false;
}

enum harness_status harness_plan_choose(struct harness_plan *plan, const char *const *names, size_t count,
                                        struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; i < count && status == HARNESS_OK; i++)
        status = check_word(plan, names[i], error);
    size_t kept = 0;
    for (size_t i = 0; i < plan->count; i++)
        if (is_wanted(plan->instances[i].name, names, count))
            plan->instances[kept++] = plan->instances[i];
    plan->count = kept;
    return status;
}
