#include "harness/cli/cli.h"

#include "harness/case/formats.h"
#include "harness/case/grow.h"
#include "harness/trial/probe.h"

#include <cjson/cJSON.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_fail(enum harness_status status, const struct harness_error *error)
{
    cli_print(stderr, "picafuzz: %s\n", error->message);
    switch (status) {
    case HARNESS_OK: return CLI_OK;
    case HARNESS_BAD_INPUT:
    case HARNESS_TOO_LARGE: return CLI_USAGE;
    case HARNESS_NO_MEMORY:
    case HARNESS_HOST: return CLI_HOST;
    case HARNESS_CRASHED: return CLI_CRASHED;
    }
    return CLI_HOST; /* not reached */
}

int cli_left_out(size_t count, const char *why)
{
    if (count == 0)
        return CLI_OK;
    cli_print(stderr, "picafuzz: %s\n", why);
    if (count > 1)
        fprintf(stderr, "picafuzz: %zu more file(s) were left out\n", count - 1);
    return CLI_USAGE;
}

void cli_print_json(struct cJSON *object)
{
    char *const line = cJSON_PrintUnformatted(object);
    if (line != NULL) {
        harness_make_utf8(line);
        puts(line);
    }
    cJSON_free(line);
    cJSON_Delete(object);
}

int cli_damaged_index(bool is_damaged, const char *path)
{
    if (!is_damaged)
        return CLI_OK;
    cli_print(stderr,
              "picafuzz: %s: is damaged (no JSON) and was left as it is; nothing is remembered until it is mended "
              "or moved away\n",
              path);
    return CLI_HOST;
}

int cli_usage(const char *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    cli_print(stderr, "picafuzz %s: ", command);
    (void)cli_print_list(stderr, format, arguments);
    cli_print(stderr, "; see `picafuzz %s --help`\n", command);
    va_end(arguments);
    return CLI_USAGE;
}

int cli_not_one_of(const char *command, const char *option, const char *word, const char *(*name_of)(uint32_t index))
{
    struct harness_text names = { 0 };
    for (uint32_t i = 0; name_of(i) != NULL; i++)
        harness_text_format(&names, "%s%s", i != 0 ? ", " : "", name_of(i));
    const int code = cli_usage(command, "%s: '%s' is not one of %s", option, word, harness_text_string(&names));
    harness_text_free(&names);
    return code;
}

/* Global, for a signal handler is given nothing to work with. */
static volatile sig_atomic_t interrupted;

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

void cli_catch_interrupts(void)
{
    const struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART };
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool cli_is_interrupted(void)
{
    return interrupted != 0;
}

const char *cli_word(uint64_t count, const char *one, const char *more)
{
    return count == 1 ? one : more;
}

int cli_worse(int a, int b)
{
    return (int)harness_exit_worse((enum harness_exit)a, (enum harness_exit)b);
}

bool cli_range(const char *text, uint32_t most, struct pica_window *out)
{
    char word[64];
    uint64_t address = 0, size = 0;
    const char *const plus = strchr(text, '+');
    if (plus == NULL || (size_t)(plus - text) >= sizeof word)
        return false;
    (void)snprintf(word, sizeof word, "%.*s", (int)(plus - text), text);
    if (!cli_number(word, 0, UINT32_MAX, &address) || !cli_number(plus + 1, 1, most, &size))
        return false;
    *out = (struct pica_window){ (uint32_t)address, (uint32_t)size };
    return true;
}

int cli_areas(const char *command, const struct cli_list *names, struct harness_generate_options *out)
{
    for (size_t i = 0; i < names->count; i++) {
        const uint64_t area = harness_generate_area(names->items[i]);
        if (area == 0)
            return cli_not_one_of(command, "--areas", names->items[i], harness_generate_area_name);
        out->areas |= area;
    }
    if (out->areas != 0 && out->mode == HARNESS_GENERATE_RAW)
        return cli_usage(command, "raw cases have no areas");
    return CLI_OK;
}

const struct cli_option cli_run_option_table[CLI_RUN_OPTIONS] = {
    { "threads", 0, CLI_NUMBER, 0, 64, offsetof(struct cli_run_options, threads), "N", "worker threads of a backend",
      NULL },
    { "isa", 0, CLI_CHOICE, 0, 0, offsetof(struct cli_run_options, instruction_sets), "NAME",
      "instruction sets that fast may use", &cli_instruction_sets },
    { "capacity", 0, CLI_NUMBER, 0, 1 << 16, offsetof(struct cli_run_options, capacity), "N",
      "at most N entries in each queue and cache of a backend; 0 = the backend decides", NULL },
    { "fresh-every", 0, CLI_NUMBER, 0, 1000000, offsetof(struct cli_run_options, fresh), "N",
      "start a new process for a plug-in after N cases; 0 = as the plug-in declares", NULL },
    { "memory-limit", 0, CLI_NUMBER, 0, 1 << 20, offsetof(struct cli_run_options, memory), "MIB",
      "private memory that a plug-in may use, without shared mappings; 0 = 4096", NULL },
    { "timeout", 0, CLI_SECONDS, 0, 86400, offsetof(struct cli_run_options, timeout), "SECONDS",
      "stop a case after this much CPU time, or after 8 to 10 times as much wall time; 0 = never", NULL },
};

struct pica_options cli_backend_options(const struct cli_run_options *options)
{
    return (struct pica_options){ .threads = options->threads,
                                  .instruction_sets = options->instruction_sets,
                                  .capacity = options->capacity };
}

/* ----------------------------------------------------------------------------------------------------------- paths */

bool cli_has_case_extension(const char *path)
{
    return harness_has_extension(path, ".pcase") || harness_has_extension(path, ".pcb") ||
           harness_has_extension(path, ".picacap") || harness_has_extension(path, ".ctf");
}

/* What fuzzing engines call the inputs of their corpora: a SHA-1 (libFuzzer), "id:..." (AFL++). */
static bool is_engine_input(const char *name)
{
    return strncmp(name, "id:", 3) == 0 || (strlen(name) == 40 && strspn(name, "0123456789abcdef") == 40);
}

static bool is_documentation(const char *path)
{
    return harness_has_extension(path, ".md") || harness_has_extension(path, ".txt") ||
           harness_has_extension(path, ".png") || harness_has_extension(path, ".html");
}

static int append(struct cli_paths *paths, const char *directory, const char *name)
{
    const size_t size = strlen(directory) + strlen(name) + 2;
    char **const items = harness_grow(paths->items, paths->count, sizeof *items);
    if (items == NULL)
        return CLI_HOST;
    paths->items = items;
    char *const item = malloc(size);
    if (item == NULL)
        return CLI_HOST;
    (void)snprintf(item, size, "%s%s%s", directory, directory[0] != '\0' ? "/" : "", name);
    paths->items[paths->count++] = item;
    return CLI_OK;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A directory and those that it lies in. */
struct place {
    const struct place *above;
    dev_t device;
    ino_t number;
};

/* A link to a directory that it lies in would be followed again and again. */
static bool is_within(const struct place *place, const struct stat *status)
{
    for (; place != NULL; place = place->above)
        if (place->device == status->st_dev && place->number == status->st_ino)
            return true;
    return false;
}

/* Adds the cases of a directory and of those below it, to a depth that no corpus reaches. Names with a leading dot are
 * left out. */
static int add_entries(struct cli_paths *paths, const char *path, const struct place *above, unsigned depth)
{
    DIR *const directory = opendir(path);
    struct stat status;
    if (directory == NULL || fstat(dirfd(directory), &status) != 0) {
        cli_print(stderr, "picafuzz: %s: cannot be read: %s\n", path, strerror(errno));
        if (directory != NULL)
            (void)closedir(directory);
        return CLI_HOST;
    }
    const struct place here = { above, status.st_dev, status.st_ino };
    int code = CLI_OK;
    for (const struct dirent *entry; code == CLI_OK && (entry = readdir(directory)) != NULL;) {
        char child[4096];
        if (entry->d_name[0] == '.')
            continue;
        const int length = snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof child || stat(child, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth != 0 && !is_within(&here, &status))
            code = add_entries(paths, child, &here, depth - 1);
        else if (S_ISREG(status.st_mode) && (cli_has_case_extension(entry->d_name) || is_engine_input(entry->d_name)))
            code = append(paths, path, entry->d_name);
    }
    (void)closedir(directory);
    return code;
}

/* Is it the CASE.pcb of a reduced CASE.pcase in the list? The list is sorted, or 100 000 files would take minutes. */
static bool is_original(const struct cli_paths *sorted, const char *path)
{
    char reduced[8192];
    if (!harness_has_extension(path, ".pcb"))
        return false;
    const int length = snprintf(reduced, sizeof reduced, "%.*s.pcase", (int)(strlen(path) - strlen(".pcb")), path);
    const char *const key = reduced;
    return length > 0 && (size_t)length < sizeof reduced &&
           bsearch(&key, sorted->items, sorted->count, sizeof *sorted->items, by_name) != NULL;
}

/* Sorts what was added from `first` on, and drops originals of reduced cases. */
static int sort_added(struct cli_paths *paths, size_t first)
{
    const struct cli_paths added = { paths->items + first, paths->count - first };
    bool *const drop = calloc(added.count, sizeof *drop);
    size_t kept = first;
    if (drop == NULL)
        return CLI_HOST;
    qsort(added.items, added.count, sizeof *added.items, by_name);
    for (size_t i = 0; i < added.count; i++)
        drop[i] = is_original(&added, added.items[i]);
    for (size_t i = 0; i < added.count; i++) {
        if (drop[i])
            free(added.items[i]);
        else
            paths->items[kept++] = added.items[i];
    }
    paths->count = kept;
    free(drop);
    return CLI_OK;
}

static int add_directory(struct cli_paths *paths, const char *path)
{
    char plain[4096]; /* without the slashes at its end, which would stand twice in the paths of cases */
    const size_t first = paths->count;
    int length = (int)strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    (void)snprintf(plain, sizeof plain, "%.*s", length, path);
    const int code = add_entries(paths, plain, NULL, 16);
    if (paths->count > first)
        return cli_worse(code, sort_added(paths, first));
    cli_print(stderr, "picafuzz: %s: holds no case file (.pcase .pcb .picacap .ctf)\n", path);
    return cli_worse(code, CLI_USAGE);
}

int cli_paths_add(struct cli_paths *paths, const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        cli_print(stderr, "picafuzz: %s: %s\n", path, strerror(errno));
        return CLI_USAGE;
    }
    if (S_ISDIR(status.st_mode))
        return add_directory(paths, path);
    if (is_documentation(path)) {
        cli_print(stderr, "picafuzz: %s: skipped, not a case\n", path);
        return CLI_OK;
    }
    return append(paths, "", path);
}

int cli_paths_add_all(struct cli_paths *paths, char *const *names, int count)
{
    int code = CLI_OK;
    for (int i = 0; i < count; i++)
        code = cli_worse(code, cli_paths_add(paths, names[i]));
    return count != 0 && paths->count == 0 ? cli_worse(code, CLI_USAGE) : code;
}

void cli_paths_free(struct cli_paths *paths)
{
    for (size_t i = 0; i < paths->count; i++)
        free(paths->items[i]);
    free(paths->items);
    memset(paths, 0, sizeof *paths);
}

size_t cli_without_extension(const char *path)
{
    const char *const slash = strrchr(path, '/'), *const name = slash != NULL ? slash + 1 : path;
    const char *const dot = strrchr(name, '.');
    return dot != NULL && dot != name ? (size_t)(dot - path) : strlen(path);
}

void cli_stem(const char *path, char *out, size_t size)
{
    const char *const slash = strrchr(path, '/'), *const name = slash != NULL ? slash + 1 : path;
    const size_t length = cli_without_extension(path) - (size_t)(name - path);
    (void)snprintf(out, size, "%.*s", (int)(length < size ? length : size - 1), name);
}

bool cli_is_same_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

/* Is the file the index of the directory, or the one that will be written? */
static bool is_index(const char *directory, const char *file)
{
    char place[4096];
    const char *const slash = strrchr(file, '/');
    const char *const name = slash != NULL ? slash + 1 : file;
    (void)snprintf(place, sizeof place, "%.*s", slash != NULL ? (int)(name - file) : 1, slash != NULL ? file : ".");
    return strcmp(name, "triage.json") == 0 && cli_is_same_file(place, directory);
}

bool cli_reads_file(const char *directory, const char *file)
{
    struct cli_paths paths = { NULL, 0 };
    bool found = is_index(directory, file);
    if (!found && access(file, F_OK) == 0)
        (void)add_entries(&paths, directory, NULL, 16);
    for (size_t i = 0; i < paths.count && !found; i++)
        found = cli_is_same_file(paths.items[i], file);
    cli_paths_free(&paths);
    return found;
}

enum harness_status cli_make_directory(const char *path, struct harness_error *error)
{
    char partial[4096];
    if (strlen(path) >= sizeof partial)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", path);
    for (size_t i = 1; i <= strlen(path); i++) {
        if (path[i] != '/' && path[i] != '\0')
            continue;
        memcpy(partial, path, i);
        partial[i] = '\0';
        const enum harness_status status = harness_directory_make(partial, error);
        if (status != HARNESS_OK)
            return status;
    }
    return HARNESS_OK;
}

enum harness_status cli_case_path(const char *directory, const char *name, char *out, size_t size,
                                  struct harness_error *error)
{
    if ((size_t)snprintf(out, size, "%s/%s", directory, name) >= size - sizeof ".pcase")
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    char *const last = strrchr(out, '/');
    *last = '\0';
    const enum harness_status status = cli_make_directory(out, error);
    *last = '/';
    strcat(out, ".pcase");
    return status;
}

/* -------------------------------------------------------------------------------------------------------- sessions */

/* Complains of --isa where no backend has any: CLI_USAGE. */
static int check_instruction_sets(const struct cli_run_options *options)
{
    if (options->instruction_sets == UINT32_MAX)
        return CLI_OK;
    for (size_t i = 0; i < options->backends.count; i++) /* a plug-in may give the mask a meaning of its own */
        if (strcmp(harness_backend_target(options->backends.items[i]), "reference") != 0)
            return CLI_OK;
    fprintf(stderr, "picafuzz: --isa: none of the backends has instruction sets to choose from, only fast has\n");
    return CLI_USAGE;
}

static void limit_calls(struct harness_backend *backend, const struct cli_run_options *options)
{
    const struct cli_seconds timeout = options->timeout;
    const unsigned most = HARNESS_HANG_MS, ms = timeout.is_given || timeout.ms < most ? timeout.ms : most;
    /* By the clock this limit comes before the worker's, whose message says less. It is two units shorter, because the
     * worker's time began earlier. */
    harness_backend_limit(backend, ms, (HARNESS_PROCESS_WALL - 2) * ms);
    cli_limit_process(backend, options);
}

void cli_limit_process(struct harness_backend *backend, const struct cli_run_options *options)
{
    if (options->fresh != 0 && backend->process != NULL)
        harness_process_fresh(backend->process, options->fresh);
    if (options->memory != 0)
        harness_backend_memory(backend, options->memory);
}

int cli_compares_something(const struct harness_backend *backends, size_t count)
{
    for (size_t i = count > 1 ? 1 : 0; i < count; i++) {
        struct oracle_scope scope = backends[0].scope;
        oracle_scope_meet(&scope, &backends[i].scope);
        if (scope.parts != 0)
            continue;
        cli_print(stderr,
                  "picafuzz: nothing is compared: what %s declares, --only and --ignore leave nothing that counts\n",
                  backends[i].backend->name);
        return CLI_USAGE;
    }
    return CLI_OK;
}

enum harness_status cli_backend_open(const struct cli_run_options *options, const char *name, unsigned hang_ms,
                                     struct harness_backend *out, struct harness_error *error)
{
    const enum harness_status status =
        options->hosts ? harness_backend_host(name, out, error) : harness_backend_open(name, out, error);
    if (status != HARNESS_OK)
        return status;
    limit_calls(out, options);
    if (hang_ms != 0)
        harness_probe_limit(out, hang_ms);
    cli_scope_apply(options, out);
    return HARNESS_OK;
}

int cli_backends_open(const struct cli_run_options *options, bool shown, unsigned hang_ms,
                      struct harness_backend *backends, size_t *count)
{
    struct harness_error error = { "" };
    const int fits = check_instruction_sets(options);
    *count = 0;
    for (size_t i = 0; i < options->backends.count && fits == CLI_OK; i++) {
        const char *const name = options->backends.items[i];
        const enum harness_status status =
            cli_backend_open(options, shown ? harness_backend_apart(name) : name, hang_ms, &backends[i], &error);
        if (status != HARNESS_OK)
            return cli_fail(status, &error);
        *count = i + 1;
    }
    return fits == CLI_OK && *count > 1 ? cli_compares_something(backends, *count) : fits;
}

enum harness_status cli_runner_create(const struct cli_run_options *options, const char *name,
                                      const struct harness_backend *backend, struct harness_runner **out,
                                      struct harness_error *error)
{
    const struct pica_options backend_options = cli_backend_options(options);
    if (harness_runner_create(backend->backend, &backend_options, out) != PICA_OK)
        return harness_fail(error, HARNESS_HOST, "backend %s: cannot be created", name);
    harness_runner_restrict(*out, &backend->scope);
    harness_runner_tolerate(*out, backend->tolerance);
    return HARNESS_OK;
}

int cli_session_open(struct cli_session *session, const struct cli_run_options *options)
{
    struct harness_error error = { "" };
    memset(session, 0, sizeof *session);
    const int code = cli_backends_open(options, true, 0, session->backends, &session->count);
    for (size_t i = 0; i < session->count && code == CLI_OK; i++)
        if (cli_runner_create(options, options->backends.items[i], &session->backends[i], &session->runners[i],
                              &error) != HARNESS_OK)
            return cli_fail(HARNESS_HOST, &error);
    return code;
}

void cli_session_names(const struct cli_session *session, const struct cli_run_options *options, const char **out)
{
    for (size_t i = 0; i < session->count; i++) {
        out[i] = session->backends[i].backend->name;
        for (size_t k = 0; k < session->count; k++)
            if (k != i && strcmp(session->backends[k].backend->name, session->backends[i].backend->name) == 0)
                out[i] = options->backends.items[i];
    }
}

void cli_backends_close(struct harness_backend *backends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        harness_backend_close(&backends[i]);
}

static int close_backend(struct harness_backend *backend)
{
    const char *const name = backend->backend != NULL ? backend->backend->name : "";
    const struct harness_death *const death =
        backend->process != NULL ? harness_process_farewell(backend->process) : NULL;
    const bool died = death != NULL && death->kind != HARNESS_DEATH_NONE;
    if (died)
        cli_print(stderr, "picafuzz: backend %s: %s\n", name, death->text);
    harness_backend_close(backend);
    return died ? CLI_CRASHED : CLI_OK;
}

int cli_session_close(struct cli_session *session)
{
    int code = CLI_OK;
    for (size_t i = 0; i < session->count; i++) {
        harness_runner_destroy(session->runners[i]);
        code = cli_worse(code, close_backend(&session->backends[i]));
    }
    session->count = 0;
    return code;
}
