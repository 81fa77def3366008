#include "harness/cli/cli.h"

#include "harness/interface/interface.h"
#include "harness/run/process.h"
#include "harness/run/recording.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz backends - list the backends, what they can do, and check what they declare\n"
    "\n"
    "usage: picafuzz backends [options] [PLUG_IN.so...]\n"
    "\n"
    "  picafuzz backends                        the built-in ones\n"
    "  picafuzz backends ./libmygpu.so          does my plug-in fit, and is what it declares true?\n"
    "  picafuzz backends -b ./libmygpu.so       the same, written as for other commands\n"
    "  picafuzz backends --json ./libmygpu.so   one JSON object per check\n"
    "\n"
    "Every command takes backends by these names or by the path of a plug-in. A plug-in runs in a process of\n"
    "its own: if it crashes, hangs or exits, the command goes on. With inline: before the path\n"
    "(inline:./libmygpu.so) it runs in the process that also runs our backends: that saves some 20 us per\n"
    "case, but damage that it does there affects them, too. Rounding mode, blocked signals, directory, umask\n"
    "and locale are restored after each call, and what it had changed is reported. Commands that only show a\n"
    "backend (run, explore, pictures of pages) give it a process of its own all the same. Several backends\n"
    "are separated by commas, or each has its own -b; in a path, a comma is written as '\\,':\n"
    "-b 'reference,./my\\,gpu.so'.\n"
    "\n"
    "A plug-in goes through interface checks, each of them in a process of its own: memory and a fill, the\n"
    "reset state, any state, each part that it declares (by a case that writes to it), each budget from 1\n"
    "on, pairs of draws that it must tell apart, what stays from one case to the next, what it changes in\n"
    "the process that calls it, 1000 loads, the same case again, in a new instance, in a new process.\n"
    "`not declared` and `not taken` (PICA_NOT_SUPPORTED) are not faults. A failure says what to do.\n";

static const char exits[] =
    "exit codes: 0 all checks pass, 2 usage, or a backend is not there, 3 a backend crashed or hung, 4 a\n"
    "backend cannot be opened or fails a check\n";

enum {
    OPEN_SECONDS = 20,
    CHECK_SECONDS = 10
};

struct backends_request {
    struct cli_list backends;
    bool json;
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 1, CLI_LIST_MOST, offsetof(struct backends_request, backends), "A[,B..]",
      "only these, and those named after the options", NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct backends_request, json), NULL, "one JSON object per check on stdout",
      NULL },
};
static const struct backends_request defaults;

static void print_capabilities(const struct pica_backend *backend)
{
    const struct {
        const char *name;
        bool there;
    } capabilities[] = {
        { "view_memory",
          harness_process_is(backend) ? harness_process_has_view(backend) : backend->view_memory != NULL },
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

/* Names, models and offers. */
static int show_backend(const char *name)
{
    const struct cli_run_options options = { .backends = { { name }, 1 },
                                             .instruction_sets = UINT32_MAX,
                                             .timeout = { 1000 * OPEN_SECONDS, false } };
    struct cli_session session;
    const int code = cli_session_open(&session, &options);
    if (code == CLI_OK) {
        const struct pica_backend *const backend = session.backends[0].backend;
        cli_print(stdout, "%s - %s\n", backend->name, backend->summary);
        print_models(session.runners[0]);
        print_capabilities(backend);
        if (strcmp(harness_backend_target(name), "fast") == 0)
            cli_print(stdout, "  instruction sets here: %s\n", harness_host_instruction_sets());
        if (harness_is_recorded(backend))
            cli_print(stdout, "  holds %zu case(s)\n", harness_recording_cases(backend));
    }
    return cli_worse(code, cli_session_close(&session));
}

/* What the checks of one backend came to. */
struct tally {
    const char *name;
    bool json, failures_only;
    uint32_t counts[HARNESS_INTERFACE_NOT_TAKEN + 1];
};

static void print_json(const struct tally *tally, const struct harness_interface_result *result)
{
    cJSON *const line = cJSON_CreateObject();
    (void)cJSON_AddStringToObject(line, "backend", tally->name);
    (void)cJSON_AddStringToObject(line, "check", result->check);
    (void)cJSON_AddStringToObject(line, "verdict", harness_interface_verdict_text(result->verdict));
    (void)cJSON_AddStringToObject(line, "text", result->text);
    (void)cJSON_AddStringToObject(line, "advice", result->advice);
    cli_print_json(line);
}

static void take(void *user, const struct harness_interface_result *result)
{
    struct tally *const tally = user;
    const bool good = result->verdict != HARNESS_INTERFACE_FAIL && result->verdict != HARNESS_INTERFACE_DIED;
    tally->counts[result->verdict]++;
    if (tally->json)
        print_json(tally, result);
    else if (!good || !tally->failures_only)
        cli_print(stdout, "  %-12s  %-19s %s\n", harness_interface_verdict_text(result->verdict), result->check,
                  result->text);
    if (!good && !tally->json)
        cli_print(stdout, "  %-12s  %-19s what to do: %s\n", "", "", result->advice);
}

static int check_backend(const char *name, bool json, bool failures_only)
{
    const struct pica_options options = { .instruction_sets = UINT32_MAX };
    struct tally tally = { .name = name, .json = json, .failures_only = failures_only };
    if (harness_interface_check(name, &options, CHECK_SECONDS, take, &tally) != HARNESS_OK) {
        cli_print(stderr, "picafuzz: %s: no process or no memory for the checks\n", name);
        return CLI_HOST;
    }
    if (!json)
        cli_print(stdout, "  checks: %u pass, %u fail, %u died, %u not declared, %u not taken\n",
                  (unsigned)tally.counts[HARNESS_INTERFACE_PASS], (unsigned)tally.counts[HARNESS_INTERFACE_FAIL],
                  (unsigned)tally.counts[HARNESS_INTERFACE_DIED],
                  (unsigned)tally.counts[HARNESS_INTERFACE_NOT_DECLARED],
                  (unsigned)tally.counts[HARNESS_INTERFACE_NOT_TAKEN]);
    if (tally.counts[HARNESS_INTERFACE_DIED] != 0)
        return CLI_CRASHED;
    return tally.counts[HARNESS_INTERFACE_FAIL] != 0 ? CLI_HOST : CLI_OK;
}

static int one_backend(const char *name, bool json, bool failures_only)
{
    int code = CLI_OK;
    if (!json)
        code = show_backend(name);
    if (strncmp(name, "recorded:", strlen("recorded:")) == 0)
        return code; /* it computes nothing */
    return code == CLI_OK ? check_backend(name, json, failures_only) : code;
}

static int command_backends(void *opaque, int count, char **files)
{
    const struct backends_request *const request = opaque;
    int code = CLI_OK;
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS && count == 0 && request->backends.count == 0; i++)
        code = cli_worse(code, one_backend(harness_linked_backend(i)->name, request->json, true));
    for (size_t i = 0; i < request->backends.count; i++)
        code = cli_worse(code, one_backend(request->backends.items[i], request->json, false));
    for (int i = 0; i < count; i++)
        code = cli_worse(code, one_backend(files[i], request->json, false));
    return code;
}

const struct cli_command cli_cmd_backends = {
    CLI_COMMAND("backends", command_backends, "list backends and their capabilities, and check what they declare"),
    .options = { CLI_OWN_OPTIONS },
};
