/* Reasons are counted, however many there are. */
#include "harness/cli/refusals.h"

#include <criterion/criterion.h>
#include <stdio.h>

/* Reasons beyond the last place count as one, and those that have a place keep it. */
Test(refusals, more_reasons_than_places_are_another)
{
    static struct {
        struct cli_refusals refusals;
        size_t behind;
    } held = { .behind = 7 };
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < CLI_REFUSALS + 100; i++) {
            char reason[32];
            (void)snprintf(reason, sizeof reason, "reason%d", i);
            cli_refusals_count(&held.refusals, reason);
        }
    cr_expect_eq(held.refusals.count, CLI_REFUSALS);
    cr_expect_eq(held.refusals.total, 2 * (CLI_REFUSALS + 100));
    for (int i = 0; i < CLI_REFUSALS - 1; i++)
        cr_expect_eq(held.refusals.items[i].count, 2);
    cr_expect_str_eq(held.refusals.items[CLI_REFUSALS - 1].text, "another");
    cr_expect_eq(held.refusals.items[CLI_REFUSALS - 1].count, 2 * 101);
    cr_expect_eq(held.behind, 7);
}

Test(refusals, operations_and_addresses_make_no_other_reason)
{
    static struct cli_refusals refusals;
    cli_refusals_add(&refusals, "operation 3: unit 2 reads 0x18001000\nmore");
    cli_refusals_add(&refusals, "operation 14: unit 1 reads 0x18002000");
    cr_expect_eq(refusals.count, 1);
    cr_expect_str_eq(refusals.items[0].text, "unit N reads N");
    cr_expect_eq(refusals.items[0].count, 2);
}
