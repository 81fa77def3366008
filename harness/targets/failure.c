#include "harness/targets/failure.h"

#include "harness/run/pair.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

enum {
    MAX_FRAMES = 64,
    PLACE_SIZE = 192,
    LINE_SIZE = 1024
};

/* OSS-Fuzz takes a call of AddressSanitizer in a build without it for two sanitizers in one. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER
#endif
#endif

#if defined __has_feature
#if __has_feature(memory_sanitizer)
#define HAS_MEMORY_SANITIZER
#include <sanitizer/msan_interface.h>
#endif
#endif

/* The sanitizers' own interfaces (sanitizer/asan_interface.h, ubsan_interface.h, common_interface_defs.h): there, or
 * NULL. */
void __asan_set_error_report_callback(void (*callback)(const char *report));
const char *__asan_get_report_description(void);
void __sanitizer_symbolize_pc(void *pc, const char *format, char *out, size_t size) __attribute__((weak));
void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file, unsigned *line,
                                     unsigned *column, char **address) __attribute__((weak));
/* Called by UBSan for each report. */
void __ubsan_on_report(void);
/* Called by assert. */
_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function);
/* Where the linker put this program's file. */
extern const char __executable_start[], etext[];

/* One per process, as are the signal handlers that use them. */
static volatile sig_atomic_t told;
static struct timespec begin;

/* --------------------------------------------------------------------------------------------------------- the line */

/* Fields may be cut, but the line always gets its end. Safe in a signal handler as far as snprintf is. */
/* Ctrl-C while a place is looked up, which takes a second on a busy machine: an engine would end at once, and it writes
 * the failing input last. */
static void refuse_to_stop(void)
{
    (void)signal(SIGINT, SIG_IGN);
}

static void write_line(const char *kind, const char *key, const char *place, const char *title)
{
    char line[LINE_SIZE];
    if (told)
        return; /* an abort after a report says nothing new */
    told = 1;
    refuse_to_stop();
    int length = snprintf(line, sizeof line, "picafuzz: failure 1\t%.20s\t%.200s\t%.190s\t%.*s\n", kind, key, place,
                          (int)strcspn(title, "\t\n"), title);
    if (length >= (int)sizeof line) {
        length = (int)sizeof line;
        line[length - 1] = '\n';
    }
    for (int written = 0; written < length;) {
        const ssize_t count = write(STDERR_FILENO, line + written, (size_t)(length - written));
        if (count <= 0)
            return;
        written += (int)count;
    }
}

void target_tell(const char *kind, const char *key, const char *title)
{
    write_line(kind, key, "", title);
}

/* -------------------------------------------------------------------------------------------------------- the place */

struct frames {
    uintptr_t pcs[MAX_FRAMES]; /* where each one goes on */
    size_t count;
    size_t interrupted; /* the one that a signal did, if any did: those before it handle the signal */
};

static _Unwind_Reason_Code add_frame(struct _Unwind_Context *context, void *user)
{
    struct frames *const frames = user;
    int is_exact = 0; /* a signal interrupted it there; the others are after a call */
    const uintptr_t pc = (uintptr_t)_Unwind_GetIPInfo(context, &is_exact);
    if (is_exact)
        frames->interrupted = frames->count;
    if (pc == 0 || frames->count == MAX_FRAMES)
        return _URC_END_OF_STACK;
    frames->pcs[frames->count++] = is_exact ? pc + 1 : pc;
    return _URC_NO_REASON;
}

/* "FUNCTION FILE:LINE:COLUMN" if the source is one of this project's, but not this one. */
static bool describe(uintptr_t pc, char *out, size_t size)
{
    static const char root[] = PICAFUZZ_SOURCE_DIR "/";
    char text[512] = "";
    __sanitizer_symbolize_pc((void *)pc, "%s\t%f\t%l:%c", text, sizeof text);
    char *const function = strchr(text, '\t');
    char *const line = function != NULL ? strchr(function + 1, '\t') : NULL;
    if (line == NULL || strncmp(text, root, sizeof root - 1) != 0)
        return false;
    *function = *line = '\0';
    const char *const file = strrchr(text, '/') + 1;
    if (strcmp(file, "failure.c") == 0)
        return false;
    (void)snprintf(out, size, "%s %s:%s", function + 1, file, line + 1);
    return true;
}

static bool is_in_program(uintptr_t pc)
{
    return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

/* The innermost running function that is ours. */
static void find_place(char out[PLACE_SIZE])
{
    struct frames frames = { .count = 0 };
    (void)_Unwind_Backtrace(add_frame, &frames);
    out[0] = '\0';
    for (size_t i = frames.interrupted; i < frames.count && out[0] == '\0'; i++) {
        if (__sanitizer_symbolize_pc != NULL)
            (void)describe(frames.pcs[i], out, PLACE_SIZE);
        else if (is_in_program(frames.pcs[i]))
            (void)snprintf(out, PLACE_SIZE, "+0x%zx", (size_t)(frames.pcs[i] - 1 - (uintptr_t)__executable_start));
    }
}

/* -------------------------------------------------------------------------------------------- reports of sanitizers */

#ifdef HAS_ADDRESS_SANITIZER
/* The text of the report is for people, so its parts are asked for one by one. */
static void on_address_report(const char *report)
{
    char place[PLACE_SIZE], title[LINE_SIZE];
    (void)report;
    const char *const what = __asan_get_report_description();
    find_place(place);
    (void)snprintf(title, sizeof title, "AddressSanitizer: %s in %s", what, place);
    write_line("address", what, place, title);
}
#endif

#ifdef HAS_MEMORY_SANITIZER
/* MemorySanitizer has no call for its reports; but each piece of text that it prints is shown to the program. */
void __sanitizer_on_print(const char *text);
void __sanitizer_on_print(const char *text)
{
    static const char mark[] = "WARNING: MemorySanitizer: ";
    char place[PLACE_SIZE], title[LINE_SIZE], what[PLACE_SIZE];
    __msan_unpoison_string(text);
    const char *const found = strstr(text, mark);
    if (found == NULL)
        return;
    (void)snprintf(what, sizeof what, "%.*s", (int)strcspn(found + sizeof mark - 1, "\n"), found + sizeof mark - 1);
    find_place(place);
    (void)snprintf(title, sizeof title, "MemorySanitizer: %s in %s", what, place);
    write_line("memory", what, place, title);
}
#endif

void __ubsan_on_report(void)
{
    const char *kind = "", *message = "", *file = "";
    char *address = NULL, place[PLACE_SIZE], title[LINE_SIZE];
    unsigned line = 0, column = 0;
    if (__ubsan_get_current_report_data == NULL)
        return;
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
    const char *const slash = strrchr(file, '/');
    (void)snprintf(place, sizeof place, "%s:%u:%u", slash != NULL ? slash + 1 : file, line, column);
    (void)snprintf(title, sizeof title, "%s: runtime error: %s", place, message);
    write_line("undefined", kind, place, title);
}

/* clang says "int append(void *)" where gcc says "append". */
static void short_name(const char *function, char *out, size_t size)
{
    const int length = (int)strcspn(function, "(");
    (void)snprintf(out, size, "%.*s", length, function);
    const char *const blank = strrchr(out, ' ');
    if (blank != NULL)
        memmove(out, blank + 1, strlen(blank));
}

_Noreturn void __assert_fail(const char *expression, const char *file, unsigned line, const char *function)
{
    const char *const slash = strrchr(file, '/');
    char name[PLACE_SIZE / 2], place[PLACE_SIZE], title[LINE_SIZE];
    short_name(function, name, sizeof name);
    (void)snprintf(place, sizeof place, "%s %s:%u", name, slash != NULL ? slash + 1 : file, line);
    (void)snprintf(title, sizeof title, "%s: Assertion `%s' failed", place, expression);
    write_line("assertion", expression, place, title);
    fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, expression);
    abort();
}

/* ---------------------------------------------------------------------------------------------------------- signals */

static const struct {
    int number;
    const char *name;
} signals[] = {
    { SIGSEGV, "SIGSEGV" }, { SIGBUS, "SIGBUS" }, { SIGILL, "SIGILL" }, { SIGFPE, "SIGFPE" }, { SIGABRT, "SIGABRT" },
#if !defined(__AFL_COMPILER) /* afl-fuzz looks at the clock itself; the alarm there is another (counters_afl.h) */
    { SIGALRM, "SIGALRM" },
#endif
};

enum {
    SIGNALS = sizeof signals / sizeof signals[0]
};

static struct sigaction before[SIGNALS]; /* the engine's */

static double seconds_of_input(void)
{
    struct timespec now = { 0, 0 };
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return difftime(now.tv_sec, begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
}

static void tell_signal(const char *name, bool is_alarm)
{
    char place[PLACE_SIZE], title[LINE_SIZE];
    if (told || (is_alarm && seconds_of_input() < (double)HARNESS_INPUT_TIMEOUT))
        return; /* engines look at the clock by SIGALRM, too */
    refuse_to_stop();
    find_place(place);
    (void)snprintf(title, sizeof title, "%s in %s", is_alarm ? "timeout" : name, place);
    write_line(is_alarm ? "timeout" : "signal", name, place, title);
}

/* What the engine does about it: its own handler, or the death that it expects. */
static void hand_on(const struct sigaction *action, int number, siginfo_t *information, void *context)
{
    if ((action->sa_flags & SA_SIGINFO) != 0) {
        action->sa_sigaction(number, information, context);
    } else if (action->sa_handler == SIG_DFL) {
        (void)sigaction(number, action, NULL);
        (void)raise(number);
    } else if (action->sa_handler != SIG_IGN) {
        action->sa_handler(number);
    }
}

static void on_signal(int number, siginfo_t *information, void *context)
{
    for (size_t i = 0; i < SIGNALS; i++) {
        if (signals[i].number != number)
            continue;
        tell_signal(signals[i].name, number == SIGALRM);
        hand_on(&before[i], number, information, context);
    }
}

/* Called after the engine has set its handlers, because an engine leaves alone those that it finds. Where a sanitizer
 * handles a signal it reports an error, which is told above: its handlers come after ours. */
static void watch(void)
{
    struct frames frames = { .count = 0 };
    (void)_Unwind_Backtrace(add_frame, &frames); /* loads what it needs now, because a handler must not */
#ifdef HAS_ADDRESS_SANITIZER
    __asan_set_error_report_callback(on_address_report);
#endif
    for (size_t i = 0; i < SIGNALS; i++) {
        struct sigaction ours = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART };
        if (signals[i].number == SIGALRM && sigaction(SIGALRM, NULL, &before[i]) == 0 &&
            (before[i].sa_flags & SA_SIGINFO) == 0 && before[i].sa_handler == SIG_DFL)
            continue; /* no alarm was set */
        (void)sigaction(signals[i].number, &ours, &before[i]);
    }
}

void target_begin_input(void)
{
    static bool watching;
    (void)clock_gettime(CLOCK_MONOTONIC, &begin);
    if (!watching)
        watch();
    watching = true;
}
