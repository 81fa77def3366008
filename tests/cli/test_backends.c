/* picafuzz backends: what a plug-in must not get away with, and what it may leave out. */
#include "tests/cli/command.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define PARTIAL "'" PICAFUZZ_BINARY_DIR "/lib/partial_backend.so'"
#define CROOKED "'" PICAFUZZ_BINARY_DIR "/lib/crooked.so'"
#define BROKEN  "'" PICAFUZZ_BINARY_DIR "/lib/broken_backend.so'"
#define MINIMAL "'" PICAFUZZ_BINARY_DIR "/lib/minimal_plug_in.so'"
#define TRACED  "'" PICAFUZZ_BINARY_DIR "/lib/traced_plug_in.so'"

static struct command_result result;

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
    char line[2048];
    (void)snprintf(line, sizeof line, "backends %s", plug_in);
    run_picafuzz(&result, environment, line);
    cr_expect_eq(result.exit_code, code, "%s %s: %d: %s", environment, line, result.exit_code, result.output);
}

Test(backends, who_keeps_its_word_passes_whatever_little_it_declares)
{
    check("", MINIMAL, 0);
    expect_check("fill", "pass", "");
    expect_check("registers", "not declared", "");
    expect_check("twins", "not taken", "PICA_NOT_SUPPORTED");
    check("", TRACED, 0);
    expect_check("twins", "pass", "20 of 20 pairs");
    expect_check("budget pixels", "pass", "");
    check("CROOKED=none", CROOKED, 0);
    expect_check("assembler", "pass", "");
    check("PICAFUZZ_PARTIAL=engines", PARTIAL, 0);
    check("PICAFUZZ_PARTIAL=restless", PARTIAL, 0);
    check("PICAFUZZ_PARTIAL=chatty", PARTIAL, 0);
}

Test(backends, who_ignores_its_input_passes_nothing_that_means_anything)
{
    check("PICAFUZZ_PARTIAL=deaf", PARTIAL, 4);
    expect_check("fill", "fail", "0x5A, partial 0x00");
    expect_check("twins", "fail", "20 of 20 pairs of draws that differ leave the same picture");
    cr_expect_not_null(strstr(result.output, "or name it in a quirks file; else it is a bug"), "%s", result.output);
    cr_expect_not_null(strstr(result.output, "what to do: "), "%s", result.output);
}

Test(backends, a_part_that_is_declared_and_constant_is_told_from_one_that_is_wrong)
{
    check("PICAFUZZ_PARTIAL=constant", PARTIAL, 4);
    expect_check("registers", "fail", "declared, but does not follow");
    check("PICAFUZZ_PARTIAL=broken", PARTIAL, 4);
    expect_check("registers", "fail", "VIEWPORT_HEIGHT");
    expect_check("reset", "fail", "VIEWPORT_HEIGHT");
}

Test(backends, a_budget_must_stop_where_it_says)
{
    check("PICAFUZZ_PARTIAL=sleepless", PARTIAL, 4);
    expect_check("budget commands", "fail", "limit ");
    check("PICAFUZZ_PARTIAL=endless", PARTIAL, 0);
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
    check("CROOKED=leak", CROOKED, 4);
    expect_check("leaks", "fail", "BLEND_COLOR stays set for the next case");
#ifndef OWN_MALLOC
    check("CROOKED=uninitialised", CROOKED, 4);
    expect_check("fresh process", "fail", "TEXUNIT2_BORDER_COLOR");
#endif
    check("PICAFUZZ_PARTIAL=growing", PARTIAL, 4);
    expect_check("1000 loads", "fail", "memory grew from ");
}

Test(backends, a_death_is_a_line_and_the_other_checks_go_on)
{
    check("PICAFUZZ_FAULT=load-crash", BROKEN, 3);
    expect_check("opens", "pass", "");
    expect_check("fill", "died", "Aborted, in load");
    expect_check("twins", "died", "Aborted, in load");
    expect_check("fresh process", "not taken", "it ends in every draw");
    check("PICAFUZZ_FAULT=crash", BROKEN, 3);
    expect_check("twins", "died", "Aborted, in run of the case about ");
}

Test(backends, a_draw_that_crashes_is_told_and_the_others_are_checked)
{
    check("PICAFUZZ_PARTIAL=brittle", PARTIAL, 3);
    expect_check("twins", "died", "about LOGIC_OP; the others: pass: 19 of 20 pairs");
    expect_check("leaks", "pass", "20 of 20 pairs");
    expect_check("1000 loads", "pass", "");
    expect_check("deterministic", "pass", "");
    expect_check("fresh process", "pass", "");
    cr_expect_not_null(strstr(result.output, " 1 died,"), "%s", result.output);
}

Test(backends, all_registers_that_are_not_kept_are_named_at_once)
{
    check("PICAFUZZ_PARTIAL=forgetful", PARTIAL, 4);
    expect_check("registers", "fail",
                 "310 register(s) are not what a list that writes to all leaves: 0x045-0x046, 0x04C, ");
}

Test(backends, json_has_a_line_a_check)
{
    run_picafuzz(&result, "CROOKED=leak", "backends --json " CROOKED);
    cr_expect_eq(result.exit_code, 4, "%s", result.output);
    cr_expect_not_null(
        strstr(result.output, "\"check\":\"leaks\",\"verdict\":\"fail\",\"text\":\"BLEND_COLOR stays set"), "%s",
        result.output);
}
