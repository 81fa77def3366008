#include "harness/interface/bench.h"

#include "harness/case/formats.h"
#include "harness/run/dump.h"
#include "oracles/equal.h"
#include "oracles/scope.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PICTURE_BYTES = 16 * 16 * 4, /* at the start of the first window: what twins draw */
    EDGE_PIXELS = 16             /* along the diagonal of the two triangles, which fill rules may share differently */
};

/* ------------------------------------------------------------------------------------------------------- outcomes */

bool interface_is_over(const struct interface_bench *bench)
{
    return bench->said->verdict != HARNESS_INTERFACE_PASS;
}

/* The first outcome counts. */
static void conclude(struct interface_bench *bench, enum harness_interface_verdict verdict, const char *format,
                     va_list arguments)
{
    if (interface_is_over(bench))
        return;
    (void)vsnprintf(bench->said->text, sizeof bench->said->text, format, arguments);
    bench->said->verdict = verdict;
}

void interface_fail(struct interface_bench *bench, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    conclude(bench, HARNESS_INTERFACE_FAIL, format, arguments);
    va_end(arguments);
}

void interface_note(struct interface_bench *bench, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    conclude(bench, HARNESS_INTERFACE_PASS, format, arguments);
    va_end(arguments);
}

void interface_refused(struct interface_bench *bench, const char *what)
{
    if (interface_is_over(bench))
        return;
    (void)snprintf(bench->said->text, sizeof bench->said->text, "%s: PICA_NOT_SUPPORTED", what);
    bench->said->verdict = HARNESS_INTERFACE_NOT_TAKEN;
}

void interface_no_draws(struct interface_bench *bench)
{
    interface_refused(bench, "draws");
    if (bench->deadly != 0)
        (void)snprintf(bench->said->text, sizeof bench->said->text, "it ends in every draw, or does not take it");
}

/* ---------------------------------------------------------------------------------------------------------- cases */

bool interface_read(struct interface_bench *bench, const char *text, const char *name)
{
    struct harness_error error = { "" };
    bench->about = name;
    harness_case_reset(bench->test_case);
    if (harness_pcase_read(bench->test_case, text, strlen(text), name, &error) == HARNESS_OK &&
        harness_case_setup(bench->test_case, bench->program, &error) == HARNESS_OK)
        return true;
    interface_fail(bench, "picafuzz's own case is wrong: %s", error.message);
    return false;
}

/* Loads and runs; what failed, or NULL. */
static const char *run_case(struct interface_bench *bench, struct harness_runner *runner, struct oracle_run *out,
                            enum pica_status *status)
{
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "load");
    *status = harness_runner_load(runner, &bench->program->setup);
    if (*status != PICA_OK)
        return "load";
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "run of the case about %s", bench->about);
    *status = harness_runner_run(runner, bench->program->operations, bench->program->count);
    if (*status != PICA_OK)
        return "run";
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "reading results");
    *status = harness_runner_collect(runner, out);
    return *status != PICA_OK ? "reading results" : NULL;
}

bool interface_run(struct interface_bench *bench, struct oracle_run *out)
{
    enum pica_status status;
    const char *const failed = run_case(bench, bench->runner, out, &status);
    if (failed == NULL)
        return true;
    if (status == PICA_NOT_SUPPORTED)
        interface_refused(bench, failed);
    else
        interface_fail(bench, "%s: expected PICA_OK, given status %d", failed, (int)status);
    return false;
}

bool interface_run_reference(struct interface_bench *bench, struct oracle_run *out)
{
    enum pica_status status;
    const char *const failed = run_case(bench, bench->reference, out, &status);
    if (failed != NULL)
        interface_fail(bench, "picafuzz's own GPU fails in %s", failed);
    return failed == NULL;
}

void interface_restrict(struct interface_bench *bench, uint32_t part)
{
    struct oracle_scope scope = *harness_runner_scope(bench->runner);
    scope.parts &= part;
    harness_runner_restrict(bench->runner, &scope);
}

/* The first line of a report. */
static void fail_by(struct interface_bench *bench, const struct oracle_report *report)
{
    interface_fail(bench, "%.*s", (int)strcspn(report->message, "\n"), report->message);
}

bool interface_agrees(struct interface_bench *bench)
{
    struct oracle_run expected, given;
    struct oracle_report report = { .verdict = ORACLE_AGREE };
    if (!interface_run(bench, &given) || !interface_run_reference(bench, &expected))
        return false;
    oracle_all_equal(&expected, &given, true, &report);
    if (report.verdict >= ORACLE_DIVERGE_UNDEFINED)
        fail_by(bench, &report);
    return !interface_is_over(bench);
}

/* Pixels of a twin's picture in which a channel differs by more than rounding does. */
static uint32_t differing_pixels(const uint8_t *a, const uint8_t *b)
{
    enum {
        ROUNDING = 2
    };
    uint32_t count = 0;
    for (uint32_t i = 0; i < PICTURE_BYTES; i += 4) {
        bool differs = false;
        for (uint32_t k = i; k < i + 4; k++)
            differs |= abs((int)a[k] - (int)b[k]) > ROUNDING;
        count += differs;
    }
    return count;
}

bool interface_looks_alike(struct interface_bench *bench)
{
    struct oracle_run expected, given;
    if (!interface_run(bench, &given) || !interface_run_reference(bench, &expected))
        return false;
    const uint32_t count = differing_pixels(expected.memory[0], given.memory[0]);
    if (count > EDGE_PIXELS)
        interface_fail(bench, "%u of 256 pixels are not what the limit leaves", (unsigned)count);
    return !interface_is_over(bench);
}

bool interface_digest(struct interface_bench *bench, uint64_t *out)
{
    struct oracle_run run;
    struct harness_digest digest;
    struct harness_error error = { "" };
    if (!interface_run(bench, &run))
        return false;
    if (harness_digest(&run, &digest, &error) != HARNESS_OK)
        interface_fail(bench, "%s", error.message);
    *out = digest.memory ^ (digest.state * UINT64_C(0x9E3779B97F4A7C15)) ^ (digest.events << 1);
    return !interface_is_over(bench);
}

bool interface_picture(struct interface_bench *bench, uint64_t *out)
{
    struct oracle_run run;
    if (!interface_run(bench, &run))
        return false;
    *out = harness_digest_bytes(run.memory[0], PICTURE_BYTES);
    return true;
}

bool interface_renew(struct interface_bench *bench)
{
    const struct oracle_scope scope = *harness_runner_scope(bench->runner);
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "destroy");
    harness_runner_destroy(bench->runner);
    bench->runner = NULL;
    (void)snprintf(bench->said->doing, sizeof bench->said->doing, "create, after destroy");
    if (harness_runner_create(bench->backend.backend, bench->options, &bench->runner) != PICA_OK) {
        interface_fail(bench, "create, after destroy: expected PICA_OK, given another status");
        return false;
    }
    harness_runner_restrict(bench->runner, &scope);
    return true;
}
