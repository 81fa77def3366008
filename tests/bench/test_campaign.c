/* The bug bench's stand-in for a campaign: the same inputs by seed, within the size that engines are told. */
#include "bench/bugs/campaign.h"
#include "harness/run/pair.h"

#include <criterion/criterion.h>
#include <string.h>

enum {
    CHILDREN = 50
};

Test(campaign, children_depend_on_seed_and_age_alone)
{
    struct bug_campaign *const young = bug_campaign_create(7, 0);
    struct bug_campaign *const old = bug_campaign_create(7, CHILDREN);
    struct bug_campaign *const other = bug_campaign_create(8, CHILDREN);
    const uint8_t *a = NULL, *b = NULL, *c = NULL;
    uint32_t differ = 0;
    cr_assert(young != NULL && old != NULL && other != NULL);
    for (uint32_t i = 0; i < CHILDREN; i++)
        (void)bug_campaign_next(young, &a);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        const size_t size = bug_campaign_next(young, &a);
        cr_assert_eq(bug_campaign_next(old, &b), size);
        cr_expect_eq(memcmp(a, b, size), 0, "child %u", i);
        differ += bug_campaign_next(other, &c) != size || memcmp(a, c, size) != 0;
    }
    cr_expect_gt(differ, CHILDREN / 2u);
    bug_campaign_destroy(young);
    bug_campaign_destroy(old);
    bug_campaign_destroy(other);
}

Test(campaign, children_are_never_empty_nor_too_large)
{
    struct bug_campaign *const campaign = bug_campaign_create(1, 0);
    const uint8_t *bytes = NULL;
    cr_assert_not_null(campaign);
    for (uint32_t i = 0; i < 500; i++) {
        const size_t size = bug_campaign_next(campaign, &bytes);
        cr_assert(size >= 1 && size <= HARNESS_MAX_INPUT, "%zu bytes", size);
    }
    bug_campaign_destroy(campaign);
}
