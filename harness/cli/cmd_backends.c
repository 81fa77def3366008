#include "harness/cli/cli.h"

#include "harness/run/recording.h"

#include <stdio.h>
#include <string.h>

static const char about[] =
    "picafuzz backends - list the backends, what they can do, and whether they work\n"
    "\n"
    "usage: picafuzz backends [PLUG_IN.so...]\n"
    "\n"
    "  picafuzz backends                 the linked ones\n"
    "  picafuzz backends ./libmygpu.so   does my plug-in fit this version?\n"
    "\n"
    "Every command takes backends by these names, by the path of a plug-in, and with process: before\n"
    "either (process:./libmygpu.so) in a process of its own: it may crash, hang or exit, and the command\n"
    "goes on.\n"
    "\n"
    "The self-check creates the backend, loads a case of one page, fills half of it with the memory fill\n"
    "unit and reads it back.\n";

static const char exits[] =
    "exit codes: 0 all work, 2 usage, 3 one crashed or hung, 4 one cannot be opened or fails its check\n";

enum {
    TEST_ADDRESS = 0x18000000,
    TEST_TIMEOUT = 20
};

/* Loads one page, fills its first half with 0x5A and looks whether exactly that happened. NULL if so. */
static const char *self_check(struct harness_runner *runner)
{
    static const struct pica_window window = { TEST_ADDRESS, PICA_PAGE_SIZE };
    const struct pica_setup setup = {
        .windows = &window, .window_count = 1, .limits = harness_limits_default(), .profile = PICA_PROFILE_F32
    };
    const struct pica_operation fill = { .kind = PICA_OPERATION_MEMORY_FILL,
                                         .words = { TEST_ADDRESS >> 3, (TEST_ADDRESS + PICA_PAGE_SIZE / 2) >> 3,
                                                    0x5A5A5A5A, 0x201 } };
    struct oracle_run run;
    if (harness_runner_load(runner, &setup) != PICA_OK)
        return "load fails";
    if (harness_runner_step(runner, &fill) != PICA_OK)
        return "a memory fill fails";
    if (harness_runner_collect(runner, &run) != PICA_OK)
        return "results cannot be read";
    for (uint32_t i = 0; i < PICA_PAGE_SIZE; i++)
        if (run.memory[0][i] != (i < PICA_PAGE_SIZE / 2 ? 0x5A : 0))
            return "a memory fill wrote the wrong bytes";
    if ((harness_runner_scope(runner)->parts & (uint32_t)PICA_PART_INTERRUPTS) == 0)
        return NULL;
    return run.state->interrupts[0] == 1 ? NULL : "a memory fill raised no PSC0 interrupt (PSC-10)";
}

static void print_capabilities(const struct pica_backend *backend)
{
    const struct {
        const char *name;
        bool there;
    } capabilities[] = {
        { "view_memory", backend->view_memory != NULL },
        { "touched_pages", backend->touched_pages != NULL },
        { "observe_draws", backend->observe_draws != NULL },
        { "trace", backend->trace != NULL },
        { "scan_out", backend->scan_out != NULL },
        { "observe_features", backend->observe_features != NULL },
        { "snapshots", backend->save != NULL && backend->restore != NULL && backend->discard != NULL },
    };
    printf("  offers:");
    for (size_t i = 0; i < sizeof capabilities / sizeof capabilities[0]; i++)
        if (capabilities[i].there)
            cli_print(stdout, " %s", capabilities[i].name);
    printf("\n");
}

/* What of a plug-in's results is compared. Nothing about our own: everything is. */
static void print_models(const struct harness_runner *runner)
{
    char text[ORACLE_SCOPE_TEXT];
    oracle_scope_text(harness_runner_scope(runner), text, sizeof text);
    if (!oracle_scope_is_all(harness_runner_scope(runner)))
        cli_print(stdout, "  models: %s\n", text);
}

static int show_self_check(struct harness_runner *runner)
{
    cli_doing("self-check");
    const char *const fault = self_check(runner);
    const struct harness_death *const death = harness_runner_death(runner);
    cli_print(stdout, "  self-check: %s%s%s\n", fault == NULL ? "ok" : fault, death != NULL ? ": " : "",
              death != NULL ? death->text : "");
    if (death != NULL)
        return CLI_CRASHED;
    return fault == NULL ? CLI_OK : CLI_HOST;
}

static int show_backend(const void *argument)
{
    const char *const name = argument;
    const struct cli_run_options options = { .backends = { { name }, 1 },
                                             .instruction_sets = UINT32_MAX,
                                             .timeout = { TEST_TIMEOUT, false } };
    struct cli_session session;
    int code = cli_session_open(&session, &options);
    if (code == CLI_OK) {
        const struct pica_backend *const backend = session.backends[0].backend;
        cli_print(stdout, "%s - %s\n", backend->name, backend->summary);
        print_models(session.runners[0]);
        print_capabilities(backend);
        if (strcmp(harness_backend_target(name), "fast") == 0)
            cli_print(stdout, "  instruction sets here: %s\n", harness_host_instruction_sets());
        if (session.backends[0].recording != NULL) /* it computes nothing */
            cli_print(stdout, "  holds %zu case(s)\n", harness_recording_cases(session.backends[0].recording));
        else
            code = show_self_check(session.runners[0]);
    }
    cli_session_close(&session);
    return code;
}

static int command_backends(void *opaque, int count, char **files)
{
    (void)opaque;
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    const size_t linked_count = harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    int code = CLI_OK;
    for (size_t i = 0; i < linked_count; i++)
        code = cli_worse(code, cli_guard(linked[i]->name, TEST_TIMEOUT, show_backend, linked[i]->name));
    for (int i = 0; i < count; i++)
        code = cli_worse(code, cli_guard(files[i], TEST_TIMEOUT, show_backend, files[i]));
    return code;
}

const struct cli_command cli_cmd_backends = {
    .name = "backends",
    .summary = "list backends, their capabilities, and check that they work",
    .about = about,
    .exits = exits,
    .run = command_backends,
};
