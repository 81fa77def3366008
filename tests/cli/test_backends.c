/* picafuzz backends: what a plug-in must not get away with, and what it may leave out. */
#include "tests/cli/program.h"

/* The check's line, with `verdict`, holds `words`. */
static void expect_check(const char *check, const char *verdict, const char *words)
{
    char line[128];
    (void)snprintf(line, sizeof line, "  %-12s  %-19s ", verdict, check);
    const char *const at = strstr(result.output, line);
    cr_assert_not_null(at, "no '%s': %s", line, result.output);
    const char *const found = strstr(at, words);
    cr_expect(found != NULL && found < strchr(at, '\n') + 1, "%s: no '%s': %s", check, words, result.output);
}

static void check(const char *environment, const char *plug_in, int code)
{
    EXPECT_RUN(words_of("%s backends %s", environment, plug_in), code, "");
}

Test(backends, who_keeps_its_word_passes_whatever_little_it_declares)
{
    check("", "@minimal_plug_in", 0);
    expect_check("fill", "pass", "");
    expect_check("registers", "not declared", "");
    expect_check("twins", "not taken", "PICA_NOT_SUPPORTED");
    check("", "@traced_plug_in", 0);
    expect_check("twins", "pass", "20 of 20 pairs");
    expect_check("budget pixels", "pass", "");
    check("CROOKED=none", "@crooked", 0);
    expect_check("assembler", "pass", "");
    check("PICAFUZZ_PARTIAL=engines", "@partial", 0);
    check("PICAFUZZ_PARTIAL=restless", "@partial", 0);
    check("PICAFUZZ_PARTIAL=chatty", "@partial", 0);
}

Test(backends, who_ignores_its_input_passes_nothing_that_means_anything)
{
    check("PICAFUZZ_PARTIAL=deaf", "@partial", 4);
    expect_check("fill", "fail", "0x5A, partial 0x00");
    expect_check("twins", "fail", "20 of 20 pairs of draws that differ leave the same picture");
    EXPECT_SAID("or name it in a quirks file; else it is a bug", "what to do: ");
}

Test(backends, a_part_that_is_declared_and_constant_is_told_from_one_that_is_wrong)
{
    check("PICAFUZZ_PARTIAL=constant", "@partial", 4);
    expect_check("registers", "fail", "declared, but does not follow");
    check("PICAFUZZ_PARTIAL=broken", "@partial", 4);
    expect_check("registers", "fail", "VIEWPORT_HEIGHT");
    expect_check("reset", "fail", "VIEWPORT_HEIGHT");
}

Test(backends, a_budget_must_stop_where_it_says)
{
    check("PICAFUZZ_PARTIAL=sleepless", "@partial", 4);
    expect_check("budget commands", "fail", "limit ");
    check("PICAFUZZ_PARTIAL=endless", "@partial", 0);
    expect_check("budget commands", "not declared", "");
}

/* A sanitizer fills memory in the same way in each process. */
#if defined(__SANITIZE_ADDRESS__)
#define OWN_MALLOC 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
#define OWN_MALLOC 1
#endif
#endif

Test(backends, leaks_growth_and_memory_that_nobody_wrote_are_found)
{
    check("CROOKED=leak", "@crooked", 4);
    expect_check("leaks", "fail", "BLEND_COLOR stays set for the next case");
#ifndef OWN_MALLOC
    check("CROOKED=uninitialised", "@crooked", 4);
    expect_check("fresh process", "fail", "TEXUNIT2_BORDER_COLOR");
#endif
    check("PICAFUZZ_PARTIAL=growing", "@partial", 4);
    expect_check("1000 loads", "fail", "memory grew from ");
}

Test(backends, a_death_is_a_line_and_the_other_checks_go_on)
{
    check("PICAFUZZ_FAULT=load-crash", "@broken", 3);
    expect_check("opens", "pass", "");
    expect_check("fill", "died", "Aborted, in load");
    expect_check("twins", "died", "Aborted, in load");
    expect_check("fresh process", "not taken", "it ends in every draw");
    check("PICAFUZZ_FAULT=crash", "@broken", 3);
    expect_check("twins", "died", "Aborted, in run of the case about ");
}

Test(backends, a_draw_that_crashes_is_told_and_the_others_are_checked)
{
    check("PICAFUZZ_PARTIAL=brittle", "@partial", 3);
    expect_check("twins", "died", "about LOGIC_OP; the others: pass: 19 of 20 pairs");
    expect_check("leaks", "pass", "20 of 20 pairs");
    expect_check("1000 loads", "pass", "");
    expect_check("deterministic", "pass", "");
    expect_check("fresh process", "pass", "");
    EXPECT_SAID(" 1 died,");
}

Test(backends, all_registers_that_are_not_kept_are_named_at_once)
{
    check("PICAFUZZ_PARTIAL=forgetful", "@partial", 4);
    expect_check("registers", "fail",
                 "310 register(s) are not what a list that writes to all leaves: 0x045-0x046, 0x04C, ");
}

Test(backends, json_has_a_line_a_check)
{
    EXPECT_RUN("CROOKED=leak backends --json @crooked", 4,
               "\"check\":\"leaks\",\"verdict\":\"fail\",\"text\":\"BLEND_COLOR stays set");
}
