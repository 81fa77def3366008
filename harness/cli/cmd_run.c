#include "harness/cli/cli.h"

#include "harness/cli/quirks.h"

#include "harness/cli/pixel.h"
#include "harness/cli/record.h"
#include "harness/cli/stems.h"
#include "harness/run/display.h"
#include "harness/run/dump.h"
#include "harness/run/pictures.h"
#include "harness/run/recording.h"
#include "harness/run/surfaces.h"
#include "pica/events.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char about[] =
    "picafuzz run - execute cases or captures on a backend and write what they drew\n"
    "\n"
    "usage: picafuzz run [options] FILE_OR_DIRECTORY...\n"
    "\n"
    "  picafuzz run corpus/captures/*                  pictures of all captures, into pictures/\n"
    "  picafuzz run -b fast --threads 2 a.pcase        the same case on the SIMD backend with two workers\n"
    "  picafuzz run --dump a.dump a.pcase              guest memory after the run (docs/formats/dump.md)\n"
    "  picafuzz run -b ./libmygpu.so a.pcase           an emulator's GPU as a plug-in (pica/backend.h)\n"
    "  picafuzz run -b ./libmygpu.so --record before.res corpus/captures   to compare with next week's build:\n"
    "  picafuzz diff -b recorded:before.res,./libmygpu.so corpus/captures\n"
    "  picafuzz run -b ./libmygpu.so --record before.res --record-pages surfaces corpus/captures   pictures alone\n"
    "  picafuzz run --pixel 13,21 a.pcase              every fragment that reached a pixel: which test ended it, the\n"
    "                                                  value of each stage; fills and transfers that touched it\n"
    "  picafuzz run --pixel 13,21 -b reference,./libmygpu.so a.pcase   the same for two, the first difference marked\n"
    "  picafuzz run --no-pictures --json corpus/       digests only, one JSON object per line\n"
    "\n"
    "After each operation every colour buffer that it drew to, and every output of a display transfer, is\n"
    "written as DIRECTORY/CASE-opN-color-ADDRESS.png or CASE-opN-transfer-ADDRESS.png. The line of a case\n"
    "shows digests of memory, state and events: equal digests mean equal results, on every host; `-` (null\n"
    "in JSON) stands for what a plug-in does not model completely. --timeout is for plug-ins: this command\n"
    "does not limit the time of reference and fast.\n";

static const char exits[] =
    "exit codes: 0 done, 1 --pixel of two backends differs, 2 usage or bad input, 3 a backend crashed or hung,\n"
    "4 host trouble\n";

struct run_request {
    struct cli_run_options options;
    const char *path;
    const char *stem; /* of its outputs */
    const char *directory;
    const char *dump;
    struct cli_record record;
    struct cli_list pixel_text;
    uint32_t pixel[2];
    bool no_pictures;
    bool depth;
    bool screens;
    bool json;
    bool is_hopeless; /* a backend cannot be opened */
};

static const struct run_request defaults = {
    .options = CLI_RUN_DEFAULTS(1, "reference"),
    .directory = "pictures",
};

static const struct cli_option option_table[] = {
    { "backends", 'b', CLI_BACKENDS, 1, 2, offsetof(struct run_request, options.backends), "NAME",
      "reference, fast, or the path of a shared library; two with a comma between them for --pixel", NULL },
    { "output", 'o', CLI_WRITE, 0, 0, offsetof(struct run_request, directory), "DIRECTORY", "where pictures go", NULL },
    { "no-pictures", 0, CLI_FLAG, 0, 0, offsetof(struct run_request, no_pictures), NULL, "write no pictures", NULL },
    { "depth", 0, CLI_FLAG, 0, 0, offsetof(struct run_request, depth), NULL, "also write depth buffers", NULL },
    { "screens", 0, CLI_FLAG, 0, 0, offsetof(struct run_request, screens), NULL,
      "also write what the two LCD screens, and the right eye, show after the last operation", NULL },
    { "dump", 0, CLI_WRITE, 0, 0, offsetof(struct run_request, dump), "FILE",
      "write guest memory after the run; only for a single case", NULL },
    { "pixel", 0, CLI_LIST, 2, 2, offsetof(struct run_request, pixel_text), "X,Y",
      "print only the history of that pixel of every buffer, as text; Y counts upwards; for two backends with the "
      "first difference",
      NULL },
    { "record", 0, CLI_WRITE, 0, 0, offsetof(struct run_request, record.path), "FILE",
      "record the results after each operation of all cases; `recorded:FILE` can then be used as a backend", NULL },
    { "record-pages", 0, CLI_LIST, 1, CLI_LIST_MOST, offsetof(struct run_request, record.pages), "WHICH[,..]",
      "with --record: record only these pages of memory: `surfaces` (buffers that the case draws to, outputs of "
      "transfers), or ADDRESS+BYTES; other pages are not compared",
      NULL },
    { "json", 0, CLI_FLAG, 0, 0, offsetof(struct run_request, json), NULL, "one JSON object per case on stdout", NULL },
};

/* What one case reported, gathered while it runs. */
struct run_record {
    struct harness_recorder *recorder; /* NULL: nothing is recorded */
    bool not_tested;                   /* the backend does not support it */
    uint32_t draws;
    struct harness_surfaces surfaces; /* of the current operation */
    cJSON *pictures;                  /* array of file names */
};

static void observe(void *user, const struct pica_draw *draw)
{
    struct run_record *const record = user;
    record->draws++;
    harness_surfaces_observe(&record->surfaces, draw);
}

static enum harness_status write_pictures(const struct run_request *request, const struct oracle_run *run,
                                          uint32_t operation, struct run_record *record, struct harness_error *error)
{
    static const char *const tags[] = {
        [HARNESS_SURFACE_COLOR] = "color", [HARNESS_SURFACE_DEPTH] = "depth", [HARNESS_SURFACE_TRANSFER] = "transfer"
    };
    for (size_t i = 0; i < record->surfaces.count; i++) {
        const struct harness_surface *item = &record->surfaces.items[i];
        if (item->origin == HARNESS_SURFACE_DEPTH && !request->depth)
            continue;
        char name[4096];
        const int length = snprintf(name, sizeof name, "%s/%s-op%u-%s-%08X.png", request->directory, request->stem,
                                    (unsigned)operation, tags[item->origin], (unsigned)item->surface.address);
        if (length < 0 || (size_t)length >= sizeof name)
            return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", request->directory);
        const enum harness_status status = harness_picture_write(run, &item->surface, name, error);
        if (status == HARNESS_BAD_INPUT) {
            cli_print(stderr, "picafuzz: %s\n", error->message); /* absurd sizes in a fuzzed case are not a failure */
            continue;
        }
        if (status != HARNESS_OK)
            return status;
        cJSON_AddItemToArray(record->pictures, cJSON_CreateString(name));
    }
    if (record->surfaces.dropped != 0)
        cli_print(stderr, "picafuzz: %s: operation %u drew to %zu more surfaces; only the first %d are written\n",
                  request->path, (unsigned)operation, record->surfaces.dropped, HARNESS_MAX_SURFACES);
    return HARNESS_OK;
}

/* `operation`: index in the case, or UINT32_MAX. */
static enum harness_status failure(const struct run_request *request, const struct harness_runner *runner,
                                   const char *what, uint32_t operation, struct harness_error *error)
{
    char place[128] = "";
    (void)snprintf(place, sizeof place, operation != UINT32_MAX ? "%s, operation %u" : "%s", what, (unsigned)operation);
    const enum harness_status status = harness_runner_fail(runner, place, PICA_FAILED, error);
    harness_error_prefix(error, request->path);
    return status;
}

static void print_not_tested_json(const struct run_request *request, const char *why)
{
    cJSON *const object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "case", request->path);
    cJSON_AddStringToObject(object, "not_tested", why);
    cli_print_json(object);
}

/* The backend does not support the case, or this operation of it (NULL: the case): that is recorded, too. */
static enum harness_status leave_out(const struct run_request *request, struct harness_runner *runner,
                                     const struct pica_setup *setup, const struct pica_operation *operation,
                                     struct run_record *record, struct harness_error *error)
{
    const char *const why = harness_runner_refusal(runner);
    record->not_tested = true;
    if (request->json)
        print_not_tested_json(request, why);
    else
        cli_print(stdout, "%s: not tested: %s\n", request->stem, why);
    if (record->recorder == NULL)
        return HARNESS_OK;
    const enum harness_status status =
        operation == NULL ? harness_recorder_refused(record->recorder, request->stem, setup, error)
                          : harness_recorder_absent(record->recorder, operation, HARNESS_ABSENCE_UNSUPPORTED, 0, error);
    return status == HARNESS_OK ? harness_recorder_end(record->recorder, error) : status;
}

/* One operation, and what it drew. */
static enum harness_status execute_operation(const struct run_request *request, struct harness_runner *runner,
                                             const struct harness_program *program, uint32_t i,
                                             struct run_record *record, struct harness_error *error)
{
    const struct pica_operation *const operation = &program->operations[i];
    enum harness_status status = HARNESS_OK;
    struct pica_choices choices;
    harness_runners_choices(&runner, 1, &choices);
    harness_surfaces_clear(&record->surfaces, &choices);
    harness_surfaces_add_operation(&record->surfaces, operation);
    const enum pica_status ran = harness_runner_step(runner, operation);
    if (ran == PICA_NOT_SUPPORTED)
        return leave_out(request, runner, &program->setup, operation, record, error);
    if (ran != PICA_OK)
        return failure(request, runner, "running the case", program->origins[i], error);
    if (record->recorder != NULL)
        status = harness_recorder_step(record->recorder, operation, runner, error);
    if (status != HARNESS_OK || request->no_pictures || record->surfaces.count == 0)
        return status;
    struct oracle_run run;
    if (harness_runner_collect(runner, &run) != PICA_OK)
        return failure(request, runner, "reading results", program->origins[i], error);
    return write_pictures(request, &run, program->origins[i], record, error);
}

static enum harness_status execute(const struct run_request *request, struct harness_runner *runner,
                                   const struct harness_program *program, struct run_record *record,
                                   struct harness_error *error)
{
    const struct pica_backend *backend = harness_runner_backend(runner);
    struct pica_choices choices;
    harness_runners_choices(&runner, 1, &choices);
    const enum pica_status loaded = harness_runner_load(runner, &program->setup);
    if (loaded == PICA_NOT_SUPPORTED)
        return leave_out(request, runner, &program->setup, NULL, record, error);
    if (loaded != PICA_OK)
        return failure(request, runner, "loading the case", UINT32_MAX, error);
    enum harness_status status = HARNESS_OK;
    if (record->recorder != NULL)
        status = harness_recorder_begin(record->recorder, request->stem, &program->setup, runner, error);
    if (status == HARNESS_OK && backend->observe_draws != NULL)
        (void)backend->observe_draws(harness_runner_instance(runner), observe, record);
    for (uint32_t i = 0; status == HARNESS_OK && !record->not_tested && i < program->count; i++)
        status = execute_operation(request, runner, program, i, record, error);
    if (status != HARNESS_OK || record->recorder == NULL || record->not_tested)
        return status;
    return harness_recorder_end(record->recorder, error);
}

static cJSON *event_names(const struct pica_events *events)
{
    cJSON *const names = cJSON_CreateArray();
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++)
        if (pica_events_has(events, (enum pica_event)event))
            cJSON_AddItemToArray(names, cJSON_CreateString(pica_event_info((enum pica_event)event)->name));
    return names;
}

enum {
    DIGEST_TEXT = 17
};

/* "0123456789abcdef", or "-" for what the backend does not model as a whole. */
static void digest_text(const struct oracle_run *run, uint32_t parts, uint64_t digest, char out[DIGEST_TEXT])
{
    const struct oracle_scope *const scope = run->scope;
    const bool whole = scope == NULL || oracle_scope_is_all(scope) ||
                       (parts == PICA_PART_MEMORY && (scope->parts & PICA_PART_MEMORY) != 0 && !scope->some_pages) ||
                       (parts == PICA_PART_EVENTS && (scope->parts & PICA_PART_EVENTS) != 0);
    (void)snprintf(out, DIGEST_TEXT, "-");
    if (whole)
        (void)snprintf(out, DIGEST_TEXT, "%016llx", (unsigned long long)digest);
}

static const uint32_t state_parts = PICA_PARTS_ALL & ~(PICA_PART_MEMORY | PICA_PART_EVENTS | PICA_PART_SCREENS);

/* null for "-" */
static void add_digest(cJSON *object, const char *name, const char *text)
{
    if (strcmp(text, "-") == 0)
        cJSON_AddNullToObject(object, name);
    else
        cJSON_AddStringToObject(object, name, text);
}

static void print_json(const struct run_request *request, const struct oracle_run *run,
                       const struct harness_digest *digest, uint32_t operations, struct run_record *record)
{
    cJSON *const object = cJSON_CreateObject();
    char text[DIGEST_TEXT];
    cJSON_AddStringToObject(object, "case", request->path);
    cJSON_AddStringToObject(object, "backend", run->backend);
    cJSON_AddNumberToObject(object, "operations", operations);
    cJSON_AddNumberToObject(object, "draws", record->draws);
    digest_text(run, PICA_PART_MEMORY, digest->memory, text);
    add_digest(object, "memory", text);
    digest_text(run, state_parts, digest->state, text);
    add_digest(object, "state", text);
    digest_text(run, PICA_PART_EVENTS, digest->events, text);
    add_digest(object, "class_m_events", text);
    cJSON_AddItemToObject(object, "events", event_names(&run->events));
    cJSON_AddItemToObject(object, "pictures", cJSON_Duplicate(record->pictures, true));
    cli_print_json(object);
}

static void print_text(const struct run_request *request, const struct oracle_run *run,
                       const struct harness_digest *digest, uint32_t operations, const struct run_record *record)
{
    char memory[DIGEST_TEXT], state[DIGEST_TEXT], events[DIGEST_TEXT];
    digest_text(run, PICA_PART_MEMORY, digest->memory, memory);
    digest_text(run, state_parts, digest->state, state);
    digest_text(run, PICA_PART_EVENTS, digest->events, events);
    cli_print(stdout, "%s: %s: %u operation(s), %u draw(s), memory %s state %s events %s, %d picture(s)\n",
              request->stem, run->backend, (unsigned)operations, (unsigned)record->draws, memory, state, events,
              cJSON_GetArraySize(record->pictures));
    const char *separator = "  undefined behaviour touched: ";
    for (uint32_t event = 0; event < PICA_EVENT_TOTAL; event++)
        if (pica_events_has(&run->events, (enum pica_event)event)) {
            cli_print(stdout, "%s%s", separator, pica_event_info((enum pica_event)event)->name);
            separator = ", ";
        }
    if (separator[0] == ',')
        printf("\n");
}

static enum harness_status write_screen(const struct run_request *request, struct harness_runner *runner,
                                        enum oracle_screen screen, struct run_record *record,
                                        struct harness_error *error)
{
    static const char *const names[ORACLE_SCREENS] = {
        [ORACLE_SCREEN_TOP] = "top", [ORACLE_SCREEN_BOTTOM] = "bottom", [ORACLE_SCREEN_RIGHT_EYE] = "right-eye"
    };
    const size_t size = oracle_screen_bytes(screen);
    uint8_t *const rgb = malloc(size);
    char name[4096];
    (void)snprintf(name, sizeof name, "%.3000s/%s-screen-%s.png", request->directory, request->stem, names[screen]);
    const struct pica_backend *const backend = harness_runner_backend(runner);
    const enum pica_status answer =
        rgb != NULL ? backend->scan_out(harness_runner_instance(runner), screen == ORACLE_SCREEN_BOTTOM,
                                        screen == ORACLE_SCREEN_RIGHT_EYE, rgb, size)
                    : PICA_NO_MEMORY;
    enum harness_status status = HARNESS_OK;
    if (answer == PICA_OK)
        status = harness_picture_write_rgb(rgb, oracle_screen_columns(screen), PICA_SCREEN_LINES, name, error);
    else if (answer != PICA_NOT_SUPPORTED) /* it is not known what that one shows */
        status = failure(request, runner, "scan-out", UINT32_MAX, error);
    free(rgb);
    if (status == HARNESS_OK && answer == PICA_OK)
        cJSON_AddItemToArray(record->pictures, cJSON_CreateString(name));
    return status;
}

/* PDC: the pictures of both screens, and of the right eye, as the backend makes them. */
static enum harness_status write_screens(const struct run_request *request, struct harness_runner *runner,
                                         struct run_record *record, struct harness_error *error)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    enum harness_status status = HARNESS_OK;
    if (backend->scan_out == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend %s: has no scan_out, --screens needs it", backend->name);
    for (uint32_t screen = 0; screen < ORACLE_SCREENS && status == HARNESS_OK; screen++)
        status = write_screen(request, runner, (enum oracle_screen)screen, record, error);
    return status;
}

static enum harness_status finish(const struct run_request *request, struct harness_runner *runner, uint32_t operations,
                                  struct run_record *record, struct harness_error *error)
{
    struct oracle_run run;
    struct harness_digest digest;
    if (harness_runner_collect(runner, &run) != PICA_OK)
        return failure(request, runner, "reading results", UINT32_MAX, error);
    enum harness_status status = harness_digest(&run, &digest, error);
    if (status == HARNESS_OK && request->dump != NULL)
        status = harness_dump_write(&run, request->dump, error);
    if (status == HARNESS_OK && request->screens && !request->no_pictures)
        status = write_screens(request, runner, record, error);
    if (status != HARNESS_OK)
        return status;
    if (request->json)
        print_json(request, &run, &digest, operations, record);
    else
        print_text(request, &run, &digest, operations, record);
    return HARNESS_OK;
}

static enum harness_status print_pixel(const struct run_request *request, const struct cli_session *session,
                                       const struct harness_program *program, int *code, struct harness_error *error)
{
    const char *names[HARNESS_MOST_BACKENDS];
    const struct cli_pixel wanted = { .runners = session->runners,
                                      .names = names,
                                      .count = session->count,
                                      .program = program,
                                      .path = request->path,
                                      .x = request->pixel[0],
                                      .y = request->pixel[1] };
    bool differs = false;
    cli_session_names(session, &request->options, names);
    const enum harness_status status = cli_pixel_print(&wanted, &differs, error);
    *code = differs ? CLI_DIVERGED : CLI_OK;
    return status;
}

/* Everything of one case. A backend that cannot be opened: the other cases would say the same. */
static int run_case(struct run_request *request)
{
    struct harness_error error = { "" };
    struct cli_session session;
    struct run_record record = { .pictures = cJSON_CreateArray() };
    struct cli_case loaded = { NULL, NULL };
    const char *why = NULL;
    int code = cli_session_open(&session, &request->options);
    enum harness_status status = HARNESS_OK;
    request->is_hopeless = code == CLI_USAGE || code == CLI_HOST;
    if (code != CLI_OK)
        goto done;
    status = record.pictures != NULL ? cli_case_load(&loaded, request->path, &error) : harness_fail_memory(&error);
    if (status == HARNESS_OK)
        status = cli_quirks_case(&request->options, loaded.test_case, &why, &error);
    if (status == HARNESS_OK && why == NULL && request->options.quirks != NULL)
        status = harness_case_setup(loaded.test_case, loaded.program, &error);
    if (status == HARNESS_OK && why != NULL) {
        cli_print(stdout, "%s: not tested: without: %s\n", request->path, why);
        goto done;
    }
    if (status == HARNESS_OK && request->pixel_text.count != 0) {
        status = print_pixel(request, &session, loaded.program, &code, &error);
        goto done;
    }
    if (status == HARNESS_OK)
        status = cli_record_open(&request->record, loaded.program, &record.recorder, &error);
    if (status == HARNESS_OK)
        status = execute(request, session.runners[0], loaded.program, &record, &error);
    if (status == HARNESS_OK && !record.not_tested)
        status = finish(request, session.runners[0], loaded.test_case->operation_count, &record, &error);
done:
    if (status != HARNESS_OK)
        code = cli_fail(status, &error);
    const bool recorded = record.recorder != NULL;
    harness_recorder_close(record.recorder);
    cJSON_Delete(record.pictures);
    cli_case_destroy(&loaded);
    code = cli_worse(code, cli_session_close(&session));
    if (recorded && code == CLI_OK) /* else it is cut off again */
        ++*(record.not_tested ? &request->record.not_tested : &request->record.cases);
    return code;
}

static int run_files(struct run_request *request, int count, char **files)
{
    struct cli_paths paths = { NULL, 0 };
    int code = cli_paths_add_all(&paths, files, count);
    if (request->dump != NULL && paths.count != 1)
        code = cli_worse(code, cli_usage("run", "--dump takes exactly one case, there are %zu", paths.count));
    struct harness_error error = { "" };
    if (code == CLI_OK && !request->no_pictures && cli_make_directory(request->directory, &error) != HARNESS_OK)
        code = cli_fail(HARNESS_HOST, &error);
    if (code == CLI_OK)
        code = cli_record_start(&request->record, &request->options);
    char **const stems = cli_stems(&paths);
    if (stems == NULL)
        code = cli_worse(code, cli_fail(harness_fail_memory(&error), &error));
    const bool records = request->record.path != NULL && code == CLI_OK;
    for (size_t i = 0; i < paths.count && code != CLI_HOST && (i > 0 || code == CLI_OK) && !request->is_hopeless; i++) {
        request->path = paths.items[i];
        request->stem = stems[i];
        const off_t before = cli_record_begin(&request->record);
        const int one = run_case(request);
        cli_record_end(&request->record, before, one == CLI_OK);
        code = cli_worse(code, one);
    }
    if (records && code != CLI_HOST)
        code = cli_worse(code, cli_record_finish(&request->record));
    cli_stems_free(stems, &paths);
    cli_paths_free(&paths);
    return code;
}

/* A history is text, and all that is printed. */
static int take_pixel(struct run_request *request)
{
    if (request->pixel_text.count == 0 && request->options.backends.count > 1)
        return cli_usage("run", "two backends are for --pixel; `picafuzz diff` compares them");
    if (request->pixel_text.count == 0)
        return CLI_OK;
    if (request->json || request->dump != NULL || request->record.path != NULL || request->screens || request->depth)
        return cli_usage("run", "--pixel prints a history and does nothing else: leave --json, --dump, --record, "
                                "--screens and --depth out");
    request->no_pictures = true;
    return cli_pixel_take("run", &request->pixel_text, request->pixel);
}

static int command_run(void *opaque, int count, char **files)
{
    struct run_request *const request = opaque;
    if (count == 0)
        return cli_usage("run", "no case given");
    if (take_pixel(request) != CLI_OK || cli_record_take_pages(&request->record) != CLI_OK)
        return CLI_USAGE;
    int code = cli_run_open("run", &request->options);
    if (code != CLI_OK)
        return code;
    code = run_files(request, count, files);
    cli_quirks_print(&request->options, request->json);
    cli_run_close(&request->options);
    return code;
}

const struct cli_command cli_cmd_run = {
    CLI_COMMAND("run", command_run, "execute cases or captures; write pictures, digests, memory dumps"),
    .options = { CLI_OWN_OPTIONS, CLI_RUN_SETS(run_request, options) },
};
