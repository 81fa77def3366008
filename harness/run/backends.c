#include "harness/run/backends.h"

#include "fast/fast.h"
#include "harness/run/kind.h"
#include "harness/run/memory.h"
#include "harness/run/plug_in.h"
#include "harness/run/process.h"
#include "harness/run/recording.h"
#include "harness/run/runner.h"
#include "harness/run/surroundings.h"
#include "reference/reference.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct pica_backend *harness_linked_backend(size_t number)
{
    return number == HARNESS_REFERENCE ? ref_backend() : fast_backend();
}

const struct harness_kind *harness_linked_kind(const struct pica_backend *backend)
{
    static const struct harness_kind reference = { .create = harness_create_plain, .view_state = ref_view_state };
    static const struct harness_kind fast = { .create = harness_create_plain, .view_state = fast_view_state };
    if (backend == ref_backend())
        return &reference;
    return backend == fast_backend() ? &fast : NULL;
}

bool harness_backend_is_guest(const struct pica_backend *backend)
{
    return harness_special(backend) == NULL && harness_linked_kind(backend) == NULL;
}

bool harness_instruction_set(const char *name, uint32_t *mask)
{
    static const struct {
        const char *name;
        uint32_t mask;
    } sets[] = {
        { "all", UINT32_MAX },     { "scalar", 0 },
        { "avx2", FAST_CPU_AVX2 }, { "avx512", FAST_CPU_AVX2 | FAST_CPU_AVX512 },
        { "neon", FAST_CPU_NEON },
    };
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].name, name) == 0) {
            *mask = sets[i].mask;
            return true;
        }
    return false;
}

const char *harness_host_instruction_sets(void)
{
    const uint32_t sets = fast_host_instruction_sets();
    if ((sets & FAST_CPU_AVX512) != 0)
        return "scalar avx2 avx512";
    if ((sets & FAST_CPU_AVX2) != 0)
        return "scalar avx2";
    return (sets & FAST_CPU_NEON) != 0 ? "scalar neon" : "scalar";
}

/* AFL++'s runtime, where this program holds it, ends a program that loads an instrumented library late, unless this is
 * set. Here late loading is meant: in the process of a backend, and where findings are reduced. */
static void *load_library(const char *path)
{
    static const char setting[] = "AFL_IGNORE_PROBLEMS";
    const bool is_mine = getenv(setting) == NULL;
    if (is_mine)
        (void)setenv(setting, "1", 1);
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (is_mine)
        (void)unsetenv(setting);
    return library;
}

static enum harness_status open_library(const char *path, struct harness_backend *out, struct harness_error *error)
{
    void *const library = load_library(path);
    if (library == NULL)
        return harness_fail(error, HARNESS_HOST, "backend %s: cannot be opened: %s", path, dlerror());
    void *const symbol = dlsym(library, "pica_backend_entry");
    pica_backend_entry_function entry = NULL;
    memcpy(&entry, &symbol, sizeof entry); /* POSIX: dlsym's data pointer may be a function's */
    struct harness_plug_in *const plug_in = calloc(1, sizeof *plug_in);
    const char *fault = "it exports no function pica_backend_entry";
    if (plug_in == NULL)
        fault = "out of memory";
    else if (entry != NULL)
        fault = harness_plug_in_take(plug_in, entry());
    if (fault != NULL) {
        free(plug_in);
        (void)dlclose(library);
        return harness_fail(error, HARNESS_HOST, "backend %s: %s", path, fault);
    }
    out->backend = &plug_in->backend;
    out->plug_in = plug_in;
    out->memory_mib = HARNESS_MEMORY_MIB;
    out->library = library;
    return HARNESS_OK;
}

/* Its output is hidden: it was shown already when another process opened the library. */
static enum harness_status open_guest(const char *path, struct harness_backend *out, struct harness_error *error)
{
    const int ours[] = { dup(STDOUT_FILENO), dup(STDERR_FILENO) }, null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    (void)fflush(NULL);
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(null, STDERR_FILENO);
    harness_surroundings_lend();
    const enum harness_status status = open_library(path, out, error);
    (void)fflush(NULL);
    for (int i = 0; i < 2; i++) {
        (void)dup2(ours[i], STDOUT_FILENO + i);
        (void)close(ours[i]);
    }
    (void)close(null);
    harness_surroundings_take_back(path);
    return status;
}

static const char recorded_prefix[] = "recorded:";

static bool is_recorded(const char *name)
{
    return strncmp(name, recorded_prefix, sizeof recorded_prefix - 1) == 0;
}

static const char process_prefix[] = "process:", inline_prefix[] = "inline:";

static bool wants_process(const char *name)
{
    return strncmp(name, process_prefix, sizeof process_prefix - 1) == 0;
}

static bool wants_inline(const char *name)
{
    return strncmp(name, inline_prefix, sizeof inline_prefix - 1) == 0;
}

const char *harness_backend_target(const char *name)
{
    if (wants_inline(name))
        return name + sizeof inline_prefix - 1;
    return wants_process(name) ? name + sizeof process_prefix - 1 : name;
}

static bool is_library(const char *target)
{
    return strchr(target, '/') != NULL && !is_recorded(target);
}

const char *harness_backend_apart(const char *name)
{
    const char *const target = harness_backend_target(name);
    const bool is_plain = harness_backend_target(target) == target; /* else the name is none, which opening says */
    return wants_inline(name) && is_plain && is_library(target) ? target : name;
}

bool harness_backend_name_is_ours(const char *name)
{
    return strchr(harness_backend_target(name), '/') == NULL && !is_recorded(harness_backend_target(name));
}

/* ---------------------------------------------------------------------------------------------------------- choices */

/* `reference` as a backend of its own. */
struct chosen {
    struct harness_special special;
    struct pica_models models;
};

static enum pica_status create_chosen(const struct pica_backend *backend, const struct pica_options *options,
                                      void **out)
{
    const enum pica_status status = ref_backend()->create(options, out);
    return status == PICA_OK ? ref_set_choices(*out, &harness_special(backend)->choices) : status;
}

static const struct harness_kind chosen_kind = { .create = create_chosen, .close = free, .view_state = ref_view_state };

/* "zero-area=drawn", `length` characters of the list. */
static enum harness_status take_choice(const char *text, size_t length, struct pica_choices *choices,
                                       struct harness_error *error)
{
    char name[96];
    (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
    char *const sign = strchr(name, '=');
    if (sign == NULL || length >= sizeof name)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend reference: expected +CHOICE=SIDE, found '+%s'", name);
    *sign = '\0';
    const struct pica_choice_info *const info = pica_choice_by_name(name);
    if (info == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend reference: '%s' is no choice of pica/splits.def", name);
    const struct pica_side_info *const side = pica_side_by_word((uint32_t)info->choice, sign + 1);
    if (side == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend reference: %s: '%s' is not one of its sides", name,
                            sign + 1);
    choices->sides[info->choice] = (uint8_t)side->number;
    return HARNESS_OK;
}

static const char chosen_prefix[] = "reference+";

static bool is_chosen(const char *target)
{
    return strncmp(target, chosen_prefix, sizeof chosen_prefix - 1) == 0;
}

/* `list`: what follows the first +. */
static enum harness_status take_choices(const char *list, struct pica_choices *choices, struct harness_error *error)
{
    enum harness_status status = HARNESS_OK;
    while (status == HARNESS_OK && *list != '\0') {
        const size_t length = strcspn(list, "+");
        status = take_choice(list, length, choices, error);
        list += length + (list[length] == '+');
    }
    return status;
}

static enum harness_status open_chosen(const struct pica_choices *choices, struct harness_backend *out,
                                       struct harness_error *error)
{
    struct chosen *const chosen = calloc(1, sizeof *chosen);
    if (chosen == NULL)
        return harness_fail_memory(error);
    struct pica_backend *const backend = &chosen->special.backend;
    chosen->special.kind = &chosen_kind;
    chosen->special.is_chosen = true;
    chosen->special.choices = *choices;
    *backend = *ref_backend();
    chosen->models = *backend->models;
    if (!pica_choices_normative(choices))
        chosen->models.parts &= ~(uint32_t)PICA_PART_EVENTS;
    backend->models = &chosen->models;
    backend->create = harness_special_create;
    out->backend = backend;
    return HARNESS_OK;
}

static bool is_reference(const struct harness_runner *runner)
{
    const struct pica_backend *const backend = harness_runner_backend(runner);
    return backend == ref_backend() || harness_kind(backend) == &chosen_kind;
}

enum pica_status harness_observe_visits(struct harness_runner *runner, const struct pica_visits *visits)
{
    return is_reference(runner) ? ref_observe_visits(harness_runner_instance(runner), visits) : PICA_NOT_SUPPORTED;
}

enum pica_status harness_find_image(struct harness_runner *runner, uint32_t unit, uint32_t face, uint32_t level,
                                    struct pica_image *out)
{
    if (!is_reference(runner))
        return PICA_NOT_SUPPORTED;
    return ref_find_image(harness_runner_instance(runner), unit, face, level, out);
}

enum pica_status harness_read_image(struct harness_runner *runner, const struct pica_image *image, uint8_t *rgba,
                                    size_t size)
{
    if (!is_reference(runner))
        return PICA_NOT_SUPPORTED;
    return ref_read_image(harness_runner_instance(runner), image, rgba, size);
}

static enum harness_status open_linked(const char *name, struct harness_backend *out, struct harness_error *error)
{
    if (is_chosen(name)) {
        struct pica_choices choices = { { 0 } };
        const enum harness_status status = take_choices(name + sizeof chosen_prefix - 1, &choices, error);
        return status == HARNESS_OK ? open_chosen(&choices, out, error) : status;
    }
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS && out->backend == NULL; i++)
        if (strcmp(harness_linked_backend(i)->name, name) == 0)
            out->backend = harness_linked_backend(i);
    return out->backend != NULL
               ? HARNESS_OK
               : harness_fail(error, HARNESS_BAD_INPUT,
                              "backend %s: not known; use reference, fast, the path of a shared library (with a '/'; "
                              "inline: before it for no process of its own), or recorded: and the path of recorded "
                              "results",
                              name);
}

/* -------------------------------------------------------------------------------------------------------- by a name */

static enum harness_status open_process(const char *target, struct harness_backend *out, struct harness_error *error)
{
    struct pica_choices sides = { { 0 } };
    enum harness_status status =
        is_chosen(target) ? take_choices(target + sizeof chosen_prefix - 1, &sides, error) : HARNESS_OK;
    if (status == HARNESS_OK)
        status = harness_process_open(target, is_chosen(target) ? &sides : NULL, &out->process, error);
    if (status == HARNESS_OK)
        out->backend = harness_process_backend(out->process);
    return status;
}

static enum harness_status open_recorded(const char *path, struct harness_backend *out, struct harness_error *error)
{
#ifdef PICAFUZZ_CORE_ONLY
    (void)out;
    return harness_fail(error, HARNESS_BAD_INPUT, "recorded:%s: this build cannot read recorded results", path);
#else
    struct harness_recording *recording = NULL;
    const enum harness_status status = harness_recording_open(path, &recording, error);
    if (status == HARNESS_OK)
        out->backend = harness_recording_backend(recording);
    return status;
#endif
}

/* Why it is no file that dlopen can take (it would wait for ever for a writer of a FIFO); NULL if it may be one. */
static const char *why_no_file(const char *path)
{
    struct stat found;
    if (stat(path, &found) != 0)
        return errno == ENOENT || errno == ENOTDIR ? strerror(errno) : NULL;
    return S_ISREG(found.st_mode) ? NULL : "it is no regular file";
}

static enum harness_status check_name(const char *name, struct harness_error *error)
{
    const char *const target = harness_backend_target(name);
    if (harness_backend_target(target) != target)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend %s: one process is enough", name);
    if (target != name && is_recorded(target))
        return harness_fail(
            error, HARNESS_BAD_INPUT,
            "backend %s: recorded results need no process; leave out what stands before recorded:", name);
    const char *const why = is_library(target) ? why_no_file(target) : NULL;
    if (why != NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "backend %s: cannot be opened: %s", target, why);
    return HARNESS_OK;
}

/* Where a backend runs. */
enum where {
    AS_NAMED, /* a plug-in in a process of its own, unless it is inline: */
    SEEN,     /* here, once it was seen in another process that it survives being opened */
    HERE
};

static enum harness_status open_target(const char *name, enum where where, struct harness_backend *out,
                                       struct harness_error *error)
{
    const char *const target = harness_backend_target(name);
    if (where == AS_NAMED && (wants_process(name) || (is_library(name) && !wants_inline(name))))
        return open_process(target, out, error);
    if (where != HERE && is_library(target)) {
        struct harness_backend elsewhere = { .backend = NULL };
        const enum harness_status status = open_process(target, &elsewhere, error);
        harness_backend_close(&elsewhere);
        if (status != HARNESS_OK)
            return status;
    }
    if (is_recorded(target))
        return open_recorded(target + sizeof recorded_prefix - 1, out, error);
    if (!is_library(target))
        return open_linked(target, out, error);
    return where == HERE ? open_library(target, out, error) : open_guest(target, out, error);
}

static enum harness_status open_named(const char *name, enum where where, struct harness_backend *out,
                                      struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    enum harness_status status = check_name(name, error);
    if (status == HARNESS_OK)
        status = open_target(name, where, out, error);
    if (status != HARNESS_OK)
        return status;
    out->is_ours = harness_backend_name_is_ours(name);
    harness_backend_models(out->backend, &out->scope);
    return HARNESS_OK;
}

enum harness_status harness_backend_open(const char *name, struct harness_backend *out, struct harness_error *error)
{
    return open_named(name, AS_NAMED, out, error);
}

enum harness_status harness_backend_host(const char *name, struct harness_backend *out, struct harness_error *error)
{
    return open_named(name, SEEN, out, error);
}

enum harness_status harness_backend_open_here(const char *name, struct harness_backend *out,
                                              struct harness_error *error)
{
    return open_named(name, HERE, out, error);
}

enum harness_status harness_backend_open_chosen(const struct pica_choices *choices, struct harness_backend *out,
                                                struct harness_error *error)
{
    memset(out, 0, sizeof *out);
    const enum harness_status status = open_chosen(choices, out, error);
    out->is_ours = true;
    if (status == HARNESS_OK)
        harness_backend_models(out->backend, &out->scope);
    return status;
}

void harness_backend_restrict(struct harness_backend *backend, const struct oracle_scope *scope)
{
    if (!backend->is_ours)
        oracle_scope_meet(&backend->scope, scope);
}

void harness_backend_tolerate(struct harness_backend *backend, const struct oracle_tolerance *tolerance)
{
    if (!backend->is_ours)
        backend->tolerance = tolerance;
}

/* The next of the names, cut to fit; false at the end. */
static bool next_name(const char **list, char *out, size_t size)
{
    if (*list == NULL || **list == '\0')
        return false;
    const size_t length = strcspn(*list, ",");
    (void)snprintf(out, size, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

enum harness_status harness_backend_restrict_to(struct harness_backend *backend, const char *only, const char *ignore,
                                                struct harness_error *error)
{
    char name[64];
    struct oracle_scope scope;
    oracle_scope_all(&scope);
    if (only != NULL && only[0] != '\0')
        scope.parts = 0;
    while (next_name(&only, name, sizeof name)) {
        const uint32_t part = oracle_scope_part(name);
        if (part == 0)
            return harness_fail(error, HARNESS_BAD_INPUT, "'%s' is no part of a result", name);
        scope.parts |= part;
    }
    while (next_name(&ignore, name, sizeof name))
        if (!oracle_scope_ignore(&scope, name))
            return harness_fail(error, HARNESS_BAD_INPUT, "'%s' is no part of a result and no register", name);
    harness_backend_restrict(backend, &scope);
    return HARNESS_OK;
}

void harness_backend_close(struct harness_backend *backend)
{
    const struct harness_special *const special = backend->backend != NULL ? harness_special(backend->backend) : NULL;
    void *own = NULL;
    memcpy(&own, &special, sizeof own); /* without const: its memory is ours to free */
    if (special != NULL && special->kind->close != NULL)
        special->kind->close(own);
    free(backend->plug_in);
    if (backend->library != NULL)
        (void)dlclose(backend->library);
    memset(backend, 0, sizeof *backend);
}

void harness_backend_memory(struct harness_backend *backend, unsigned mebibytes)
{
    backend->memory_mib = mebibytes;
    if (backend->process != NULL)
        harness_process_memory(backend->process, mebibytes);
}

void harness_backend_keep_memory(const struct harness_backend *backends, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (backends[i].library != NULL && backends[i].memory_mib > harness_memory_limited())
            harness_memory_limit(backends[i].memory_mib);
}

void harness_backend_limit(struct harness_backend *backend, unsigned busy_ms, unsigned wall_ms)
{
    if (backend->process != NULL)
        harness_process_limit(backend->process, busy_ms, wall_ms);
}

bool harness_backends_take_float24(const struct harness_backend *backends, size_t count)
{
    bool all = true;
    for (size_t i = 0; i < count; i++)
        all = all && backends[i].backend->models != NULL && backends[i].backend->models->float24 != 0;
    return all;
}

bool harness_backends_fit_profile(const struct harness_backend *backends, size_t count, struct harness_case *test_case)
{
    if (test_case->profile != PICA_PROFILE_F24 || harness_backends_take_float24(backends, count))
        return false;
    test_case->profile = PICA_PROFILE_F32;
    return true;
}
