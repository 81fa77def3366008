#include "bench/bugs/campaign.h"

#include "harness/case/formats.h"
#include "harness/grammar/gen.h"
#include "harness/grammar/random.h"
#include "harness/targets/hook.h"

#include <stdlib.h>
#include <string.h>

enum {
    POOL = 256,
    KEPT = 5,         /* one in this many */
    FRESH_PERCENT = 8 /* less than in engines: asked is what becomes of children, and cases are found anew without it */
};

struct entry {
    uint8_t *bytes;
    size_t size;
};

struct bug_campaign {
    struct harness_random random;
    struct harness_hook hook;
    struct entry pool[POOL];
    uint8_t child[HARNESS_MAX_INPUT];
};

static bool put(struct entry *entry, const uint8_t *bytes, size_t size)
{
    uint8_t *const copy = malloc(size != 0 ? size : 1);
    if (copy == NULL)
        return false;
    memcpy(copy, bytes, size);
    free(entry->bytes);
    *entry = (struct entry){ copy, size };
    return true;
}

static bool fill(struct bug_campaign *campaign, uint64_t seed)
{
    struct harness_case *const test_case = harness_case_create();
    bool good = test_case != NULL;
    for (uint32_t i = 0; i < POOL && good; i++) {
        size_t size = 0;
        harness_case_reset(test_case);
        harness_generate(test_case, seed * POOL + i, NULL);
        good = harness_pcb_encode(test_case, campaign->child, sizeof campaign->child, &size, NULL) == HARNESS_OK &&
               put(&campaign->pool[i], campaign->child, size);
    }
    harness_case_destroy(test_case);
    return good;
}

struct bug_campaign *bug_campaign_create(uint64_t seed, uint64_t age)
{
    struct bug_campaign *const campaign = calloc(1, sizeof *campaign);
    if (campaign == NULL)
        return NULL;
    harness_random_init(&campaign->random, seed);
    if (!harness_hook_init(&campaign->hook, FRESH_PERCENT) || !fill(campaign, seed)) {
        bug_campaign_destroy(campaign);
        return NULL;
    }
    for (uint64_t i = 0; i < age; i++) {
        const uint8_t *bytes = NULL;
        (void)bug_campaign_next(campaign, &bytes);
    }
    return campaign;
}

void bug_campaign_destroy(struct bug_campaign *campaign)
{
    if (campaign == NULL)
        return;
    for (uint32_t i = 0; i < POOL; i++)
        free(campaign->pool[i].bytes);
    harness_hook_finish(&campaign->hook);
    free(campaign);
}

/* Half of the children have two parents, as in engines with both hooks. */
size_t bug_campaign_next(struct bug_campaign *campaign, const uint8_t **bytes)
{
    const struct entry *const one = &campaign->pool[harness_random_below(&campaign->random, POOL)];
    const struct entry *const other = &campaign->pool[harness_random_below(&campaign->random, POOL)];
    const unsigned int seed = (unsigned int)harness_random_next(&campaign->random);
    size_t size = one->size;
    if (harness_random_below(&campaign->random, 2) == 0) {
        memcpy(campaign->child, one->bytes, size);
        size = harness_hook_mutate(&campaign->hook, campaign->child, size, sizeof campaign->child, seed, NULL);
    } else {
        const struct harness_input parents[2] = { { one->bytes, one->size }, { other->bytes, other->size } };
        size = harness_hook_combine(&campaign->hook, parents, campaign->child, sizeof campaign->child, seed, NULL);
    }
    *bytes = campaign->child;
    if (harness_random_below(&campaign->random, KEPT) == 0)
        (void)put(&campaign->pool[harness_random_below(&campaign->random, POOL)], campaign->child, size);
    return size;
}
