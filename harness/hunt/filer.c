/*
 * Findings on their way to a bucket. Each is reduced in a process of its own, so that a reduction does not block the
 * hunt, and a plug-in that crashes does not end it. A waiting finding is in the findings directory as NAME.pcb and
 * NAME.txt, and NAME.pcase once it is reduced.
 */
#include "harness/hunt/hunt_parts.h"
#include "harness/hunt/needs.h"

#include "harness/case/formats.h"
#include "harness/run/shared.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PATH_SIZE = HARNESS_HUNT_PATH + 64,
    MOST_SECONDS = 600 /* of a reduction; the number of tries usually ends it far sooner */
};

static void path_of(char out[PATH_SIZE], const struct harness_hunt_options *options, const char *name,
                    const char *extension)
{
    (void)snprintf(out, PATH_SIZE, "%.*s/%s.%s", HARNESS_HUNT_PATH - 1, options->findings, name, extension);
}

/* The number in the name gives the block, and so the options of its backends. */
struct pica_options hunt_machine_of(const struct harness_hunt_options *options, const char *name)
{
    struct pica_options machine;
    const char *const dash = strchr(name, '-');
    const uint64_t seed = dash != NULL ? strtoull(dash + 1, NULL, 10) : options->seeds.first;
    (void)hunt_vary(options, (seed - options->seeds.first) / HARNESS_HUNT_BLOCK, &machine);
    return machine;
}

void hunt_print_machine(const struct harness_hunt_options *options, const char *name, char *out, size_t size)
{
    const struct pica_options machine = hunt_machine_of(options, name);
    const char *set = "";
    for (size_t i = 0; i < sizeof hunt_sets / sizeof hunt_sets[0] && set[0] == '\0'; i++) {
        uint32_t sets = 0;
        if (machine.instruction_sets != options->machine.instruction_sets &&
            harness_instruction_set(hunt_sets[i], &sets) && sets == machine.instruction_sets)
            set = hunt_sets[i];
    }
    char threads[24] = "", capacity[24] = "";
    if (machine.threads != options->machine.threads)
        (void)snprintf(threads, sizeof threads, "--threads %u ", (unsigned)machine.threads);
    if (machine.capacity != options->machine.capacity)
        (void)snprintf(capacity, sizeof capacity, "--capacity %u ", (unsigned)machine.capacity);
    (void)snprintf(out, size, "%s%s%s%s%s", threads, capacity, set[0] != '\0' ? "--isa " : "", set,
                   set[0] != '\0' ? " " : "");
}

/* Writes NAME.txt. The bucket of the case is not known yet, so the command has `*` in its place, which the shell
 * expands. */
static enum harness_status write_said(const struct harness_hunt_options *options, const struct hunt_waiting *what,
                                      const char *said, struct harness_error *error)
{
    char path[PATH_SIZE], machine[64];
    struct harness_text text = { 0 };
    hunt_print_machine(options, what->name, machine, sizeof machine);
    const bool reduces = options->reduce_tries != 0;
    harness_text_format(&text, "picafuzz: %s: %s\n", what->kind, what->key);
    if (reduces) /* which moves things: the head of the reduced case says what that one shows */
        harness_text_format(&text, "as it was found, in %s.pcb:\n", what->name);
    harness_text_format(&text, "%s%slook at it%s: picafuzz diff %s%s%s/%s%s.pcase\n", said,
                        said[0] != '\0' && said[strlen(said) - 1] != '\n' ? "\n" : "", reduces ? ", reduced" : "",
                        options->again, machine, options->findings, reduces ? "*/" : "", what->name);
    path_of(path, options, what->name, "txt");
    const enum harness_status status =
        text.failed ? harness_fail_memory(error) : harness_file_write(path, text.data, text.size, error);
    harness_text_free(&text);
    return status;
}

enum harness_status hunt_write_found(const struct harness_hunt_options *options, const struct hunt_waiting *what,
                                     const struct harness_case *found, const char *said, struct harness_error *error)
{
    char path[PATH_SIZE];
    enum harness_status status = write_said(options, what, said, error);
    path_of(path, options, what->name, "pcb");
    if (status == HARNESS_OK)
        status = harness_case_save_file(found, path, error);
    path_of(path, options, what->name, "pcase");
    if (status == HARNESS_OK && options->reduce_tries == 0)
        status = harness_case_save_file(found, path, error);
    return status;
}

/* ---------------------------------------------------------------------------------------------- in the process */

struct job {
    const struct harness_hunt_options *options;
    const struct hunt_waiting *what;
    struct hunt_reduction *reduction;
};

static struct harness_filing filing_of(const struct harness_hunt_options *options, const char *name)
{
    return (struct harness_filing){ .findings = options->findings,
                                    .name = name,
                                    .tries = options->reduce_tries,
                                    .backends = options->backends,
                                    .backend_count = options->backend_count,
                                    .machine = hunt_machine_of(options, name),
                                    .quirks = options->quirks };
}

static enum harness_status reduce(const struct job *job, struct harness_case *test_case)
{
    struct hunt_reduction *const reduction = job->reduction;
    struct harness_error *const error = &reduction->error, unknown = { "" };
    char path[PATH_SIZE];
    const struct harness_filing filing = filing_of(job->options, job->what->name);
    path_of(path, job->options, job->what->name, "pcb");
    enum harness_status status = harness_case_load_file(test_case, path, NULL, NULL, error);
    if (status == HARNESS_OK)
        status = harness_finding_reduce(&filing, test_case, &reduction->filed, error);
    path_of(path, job->options, job->what->name, "pcase");
    if (status == HARNESS_OK)
        status = harness_case_save_file(test_case, path, error);
    if (status == HARNESS_OK && job->options->peel && reduction->filed.confirmed) /* failure: no cause */
        reduction->has_cause =
            harness_needs_find(&filing, &reduction->filed, test_case, &reduction->cause, &unknown) == HARNESS_OK;
    return status;
}

static int work(void *user)
{
    const struct job *const job = user;
    struct harness_case *const test_case = harness_case_create();
    job->reduction->status = test_case != NULL ? reduce(job, test_case) : harness_fail_memory(&job->reduction->error);
    job->reduction->is_done = true;
    return 0;
}

enum harness_status hunt_filing_start(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                      struct harness_error *error)
{
    static const struct harness_child_setup setup = { .group = true, .silent = true, .death_signal = SIGKILL };
    filing->starts++;
    filing->reduction = harness_shared_create(sizeof *filing->reduction);
    if (filing->reduction == NULL)
        return harness_fail_memory(error);
    struct job job = { options, &filing->what, filing->reduction };
    if (!harness_child_start(&filing->child, &setup, work, &job))
        return harness_fail(error, HARNESS_HOST, "starting a reduction: %s", strerror(errno));
    filing->begun = harness_child_begin(&filing->child);
    return HARNESS_OK;
}

bool hunt_filing_has_ended(const struct hunt_filing *filing)
{
    return filing->reduction != NULL &&
           (filing->child.process == 0 || harness_child_has_ended(&filing->child) ||
            harness_child_spent(&filing->child, filing->begun).wall > (double)MOST_SECONDS);
}

bool hunt_filing_begins_again(struct hunt_filing *filing)
{
    const bool died = !filing->reduction->is_done && harness_child_has_ended(&filing->child);
    const bool lacked = filing->reduction->is_done && filing->reduction->status == HARNESS_NO_MEMORY;
    if ((!died && !lacked) || filing->starts > 1)
        return false;
    hunt_filing_end(filing);
    return true;
}

/* For a finding whose reduction died twice, or lacked memory twice: it is filed unreduced, in "unconfirmed", because
 * nothing is known about it. */
static enum harness_status keep_as_found(const struct harness_hunt_options *options, const struct hunt_filing *filing,
                                         struct harness_case *test_case, struct harness_filed *filed,
                                         struct harness_error *error)
{
    char path[PATH_SIZE];
    *filed = (struct harness_filed){ .confirmed = false };
    (void)snprintf(filed->bucket, sizeof filed->bucket, "unconfirmed");
    path_of(path, options, filing->what.name, "pcb");
    return harness_case_load_file(test_case, path, NULL, NULL, error);
}

enum harness_status hunt_filing_put(struct hunt_filing *filing, const struct harness_hunt_options *options,
                                    char path[HARNESS_HUNT_PATH], struct harness_filed *filed,
                                    struct harness_error *error)
{
    char reduced[PATH_SIZE];
    struct harness_filing how = filing_of(options, filing->what.name);
    struct harness_case *const test_case = harness_case_create();
    harness_child_kill(&filing->child);
    path_of(reduced, options, filing->what.name, "pcase");
    enum harness_status status = test_case != NULL ? HARNESS_OK : harness_fail_memory(error);
    if (status == HARNESS_OK && filing->reduction->is_done && filing->reduction->status == HARNESS_HOST) {
        *error = filing->reduction->error;
        status = HARNESS_HOST;
    } else if (status == HARNESS_OK && filing->reduction->is_done && filing->reduction->status == HARNESS_OK) {
        *filed = filing->reduction->filed;
        status = harness_case_load_file(test_case, reduced, NULL, NULL, error);
    } else if (status == HARNESS_OK) {
        status = keep_as_found(options, filing, test_case, filed, error);
    }
    if (status == HARNESS_OK)
        status = harness_finding_put(&how, test_case, path, HARNESS_HUNT_PATH, filed, error);
    harness_case_destroy(test_case);
    return status;
}

void hunt_filing_remove_waiting(const struct harness_hunt_options *options, const char *name)
{
    const struct harness_filing filing = filing_of(options, name);
    harness_finding_remove_waiting(&filing);
}

void hunt_filing_end(struct hunt_filing *filing)
{
    harness_child_kill(&filing->child);
    harness_shared_destroy(filing->reduction, sizeof *filing->reduction);
    filing->reduction = NULL;
}
