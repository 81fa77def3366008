/* Makes the case of a seed, and keeps the cases from which others are mutated. */
#include "harness/hunt/hunt_parts.h"

#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/mutate.h"
#include "harness/grammar/random.h"
#include "harness/run/shared.h"
#include "harness/shader/shader_vary.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    uint32_t at, size;
};

struct hunt_pool {
    uint32_t count, used;
    struct entry entries[HUNT_MOST_PARENTS];
    uint8_t bytes[HUNT_PARENT_BYTES];
};

struct hunt_pool *hunt_pool_create(void)
{
    return harness_shared_create(sizeof(struct hunt_pool));
}

void hunt_pool_destroy(struct hunt_pool *pool)
{
    harness_shared_destroy(pool, sizeof *pool);
}

uint32_t hunt_pool_count(const struct hunt_pool *pool)
{
    return pool->count;
}

bool hunt_pool_add(struct hunt_pool *pool, const uint8_t *bytes, size_t size)
{
    if (pool->count == HUNT_MOST_PARENTS || size > HARNESS_MAX_INPUT || size > HUNT_PARENT_BYTES - pool->used)
        return false;
    memcpy(pool->bytes + pool->used, bytes, size);
    pool->entries[pool->count++] = (struct entry){ pool->used, (uint32_t)size };
    pool->used += (uint32_t)size;
    return true;
}

struct hunt_maker {
    const struct harness_hunt_options *options;
    const struct hunt_pool *pool;
    struct harness_mutator *mutator;
    struct harness_generate_options generate;
    uint8_t bytes[HARNESS_MAX_INPUT];
};

struct hunt_maker *hunt_maker_create(const struct harness_hunt_options *options, const struct hunt_pool *pool)
{
    struct hunt_maker *const maker = calloc(1, sizeof *maker);
    if (maker == NULL)
        return NULL;
    maker->options = options;
    maker->pool = pool;
    maker->generate.plain = options->cases.plain;
    maker->mutator = harness_mutator_create();
    if (maker->mutator != NULL && options->cases.plain != 0)
        harness_mutator_plain(maker->mutator, options->cases.plain);
    if (maker->mutator != NULL)
        return maker;
    free(maker);
    return NULL;
}

void hunt_maker_destroy(struct hunt_maker *maker)
{
    if (maker == NULL)
        return;
    harness_mutator_destroy(maker->mutator);
    free(maker);
}

/* Half of the children are made from the newest parents, which the others have had little time to use. */
static const struct entry *choose(const struct hunt_pool *pool, uint32_t parents, struct harness_random *random)
{
    enum {
        LAST = 32
    };
    const uint32_t recent = parents < LAST ? parents : (uint32_t)LAST;
    const uint32_t among = harness_random_percent(random, 50) ? recent : parents;
    return &pool->entries[parents - 1 - (uint32_t)(harness_random_next(random) % among)];
}

static bool read_input(const char *path, struct harness_case *out)
{
    uint8_t *bytes = NULL;
    size_t size = 0;
    const bool good =
        harness_file_read(path, &bytes, &size, NULL) == HARNESS_OK && harness_pcb_decode(out, bytes, size);
    free(bytes);
    return good;
}

static bool make(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed, struct harness_case *out)
{
    struct harness_random random;
    harness_random_init(&random, seed ^ UINT64_C(0x9E3779B97F4A7C15));
    harness_case_reset(out);
    if (order->input[0] != '\0')
        return read_input(order->input, out);
    if (maker->options->cases.shader != NULL)
        return harness_shader_vary(maker->options->cases.shader, maker->options->cases.shader_name, seed, out, NULL) ==
               HARNESS_OK;
    if (order->parents == 0 || !harness_random_percent(&random, maker->options->cases.children)) {
        (void)harness_generate(out, seed, &maker->generate);
        return true;
    }
    const struct entry *const entry = choose(maker->pool, order->parents, &random);
    memcpy(maker->bytes, maker->pool->bytes + entry->at, entry->size);
    const size_t size = harness_mutate(maker->mutator, maker->bytes, entry->size, sizeof maker->bytes,
                                       harness_random_next(&random), NULL);
    return harness_pcb_decode(out, maker->bytes, size);
}

bool hunt_make(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed, struct harness_case *out)
{
    struct pica_options machine;
    const bool made = make(maker, order, seed, out);
    if (made && hunt_vary(maker->options, order->block, &machine))
        out->profile = PICA_PROFILE_F24;
    return made;
}

bool hunt_make_as_it_ran(struct hunt_maker *maker, const struct hunt_order *order, uint64_t seed,
                         struct harness_case *out)
{
    const struct harness_hunt_options *const options = maker->options;
    struct harness_quirks_result rewritten;
    struct harness_peeled peeled;
    if (!hunt_make(maker, order, seed, out))
        return false;
    (void)harness_backends_fit_profile(options->backends, options->backend_count, out);
    harness_bound_case(out);
    if (options->quirks != NULL && harness_quirks_apply(options->quirks, out, &rewritten) != HARNESS_OK)
        return false;
    return harness_peel_free(&order->peel, true, out, &peeled);
}
