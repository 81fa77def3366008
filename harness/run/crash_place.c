/* The side of the process that dies: the handler must not allocate or lock. */
#include "harness/run/crash_place.h"

#include "harness/run/memory.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include <unwind.h>

enum {
    MOST_LIBRARIES = 8,
    STACK_SIZE = 1 << 16,
    LINE_SIZE = 1024
};

/* Of this process; a handler has no other way to know. */
static struct {
    const void *bases[MOST_LIBRARIES];
    atomic_uint count;
    const void *program; /* the harness itself */
    char stack[STACK_SIZE];
} watch;

struct frame {
    const char *library;
    uintptr_t offset;
    const char *function; /* exported, at or before the place; NULL: none */
    uintptr_t into;
    bool started;
    int rank; /* 0 none, 1 of the harness, 2 of another library, 3 of the plug-in */
};

/* Libraries whose frames may lie above that of the code at fault: memcpy, abort, a sanitizer's check. */
static bool is_system(const char *library)
{
    static const char *const names[] = { "libc.so",  "libc-",      "libm.so",  "libpthread",  "libstdc++",
                                         "libgcc_s", "libasan",    "libubsan", "libclang_rt", "ld-linux",
                                         "ld-musl",  "linux-vdso", "libdl.",   "libc++" };
    const char *const slash = strrchr(library, '/');
    const char *const name = slash != NULL ? slash + 1 : library;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static int rank_of(const Dl_info *info)
{
    if (info->dli_fbase == watch.program) /* a linked backend, if nothing else is found */
        return 1;
    for (unsigned i = 0; i < watch.count && i < MOST_LIBRARIES; i++)
        if (watch.bases[i] == info->dli_fbase)
            return 3;
    return is_system(info->dli_fname) ? 0 : 2;
}

/* The innermost frame of the highest rank. */
static _Unwind_Reason_Code look_at(struct _Unwind_Context *context, void *user)
{
    struct frame *const best = user;
    int exact = 0;
    if (!best->started) { /* the handler itself */
        best->started = true;
        return _URC_NO_REASON;
    }
    const uintptr_t address = (uintptr_t)_Unwind_GetIPInfo(context, &exact) - (exact != 0 ? 0u : 1u);
    Dl_info info;
    if (address == 0)
        return _URC_END_OF_STACK;
    /* an address, not a pointer into an object */
    if (dladdr((const void *)address, &info) == 0 || info.dli_fname == NULL || rank_of(&info) <= best->rank)
        return _URC_NO_REASON;
    best->rank = rank_of(&info);
    best->library = info.dli_fname;
    best->offset = address - (uintptr_t)info.dli_fbase;
    best->function = info.dli_sname;
    best->into = info.dli_sname != NULL ? address - (uintptr_t)info.dli_saddr : 0;
    return best->rank == 3 ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static size_t add_text(char *line, size_t length, const char *text)
{
    while (*text != '\0' && length + 1 < LINE_SIZE)
        line[length++] = *text++;
    return length;
}

static size_t add_hex(char *line, size_t length, uintptr_t value)
{
    char digits[2 * sizeof value + 1];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = "0123456789abcdef"[value & 0xFu];
    while ((value >>= 4) != 0);
    return add_text(line, add_text(line, length, "+0x"), digits + at);
}

static void on_signal(int number)
{
    struct frame frame = { .rank = 0 };
    char line[LINE_SIZE];
    harness_memory_note();
    (void)_Unwind_Backtrace(look_at, &frame);
    if (frame.rank != 0) {
        size_t length = add_text(line, 0, "\npicafuzz: crashed at ");
        length = add_hex(line, add_text(line, length, frame.library), frame.offset);
        if (frame.function != NULL) {
            length = add_text(line, add_text(line, length, " ("), frame.function);
            length = add_text(line, add_hex(line, length, frame.into), ")");
        }
        length = add_text(line, length, "\n");
        (void)!write(STDERR_FILENO, line, length);
    }
    (void)raise(number); /* SA_RESETHAND: now it ends the process */
}

static const void *base_of(const void *code)
{
    Dl_info info;
    return dladdr(code, &info) != 0 ? info.dli_fbase : NULL;
}

/* The unwinder allocates at its first use, which therefore must not be in a handler. */
static _Unwind_Reason_Code ignore(struct _Unwind_Context *context, void *user)
{
    (void)context;
    (void)user;
    return _URC_END_OF_STACK;
}

static void install(void)
{
    static const int fatal[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
    const stack_t stack = { .ss_sp = watch.stack, .ss_size = sizeof watch.stack };
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND | SA_NODEFER);
    (void)_Unwind_Backtrace(ignore, NULL);
    (void)sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        (void)sigaction(fatal[i], &action, NULL);
    void (*const own)(const struct pica_backend *) = harness_crash_watch;
    const void *address = NULL;
    memcpy(&address, &own, sizeof address);
    watch.program = base_of(address);
}

void harness_crash_watch(const struct pica_backend *backend)
{
    const void *address = NULL;
    memcpy(&address, &backend->run, sizeof address);
    const unsigned count = watch.count;
    if (count < MOST_LIBRARIES) {
        watch.bases[count] = base_of(address);
        watch.count = count + 1;
    }
    install();
}
