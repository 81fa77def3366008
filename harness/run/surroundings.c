#include "harness/run/surroundings.h"

#include <fcntl.h>
#include <fenv.h>
#include <limits.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum change {
    FLOATING_POINT,
    SIGNAL_MASK,
    DIRECTORY,
    UMASK,
    LOCALE,
    FILES,
    CHANGES
};

static const char *const words[CHANGES] = {
    "how floating-point numbers are computed",
    "which signals are blocked",
    "the working directory",
    "the umask",
    "the locale",
    "descriptors 0 to 2",
};

/* Of this process, as is all that they are about. */
static struct {
    bool known;
    femode_t ours, theirs;
    sigset_t signals;
    char directory[PATH_MAX];
    mode_t mask;
    char locale[256];
    bool changed[CHANGES];
} kept;

static void get_to_know(void)
{
    (void)fegetmode(&kept.ours);
    kept.theirs = kept.ours;
    (void)sigprocmask(SIG_SETMASK, NULL, &kept.signals);
    if (getcwd(kept.directory, sizeof kept.directory) == NULL)
        kept.directory[0] = '\0';
    kept.mask = umask(0);
    (void)umask(kept.mask);
    (void)snprintf(kept.locale, sizeof kept.locale, "%s", setlocale(LC_ALL, NULL));
    kept.known = true;
}

void harness_surroundings_lend(void)
{
    if (!kept.known)
        get_to_know();
    (void)fesetmode(&kept.theirs);
}

/* ---------------------------------------------------------------------------------------------------- one by one */

/* On x86 the exception flags, which are no part of the mode, lie in the same word. */
static bool are_other_modes(const femode_t *a, const femode_t *b)
{
#ifdef __x86_64__
    const unsigned flags = FE_ALL_EXCEPT;
    return a->__control_word != b->__control_word || ((a->__mxcsr ^ b->__mxcsr) & ~flags) != 0;
#else
    return memcmp(a, b, sizeof *a) != 0;
#endif
}

static bool take_back_floating_point(void)
{
    (void)fegetmode(&kept.theirs);
    (void)fesetmode(&kept.ours);
    return are_other_modes(&kept.ours, &kept.theirs);
}

static bool take_back_signals(void)
{
    sigset_t now;
    (void)sigprocmask(SIG_SETMASK, &kept.signals, &now);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&now, number) != sigismember(&kept.signals, number))
            return true;
    return false;
}

static bool take_back_directory(void)
{
    char now[PATH_MAX];
    if (kept.directory[0] == '\0' || (getcwd(now, sizeof now) != NULL && strcmp(now, kept.directory) == 0))
        return false;
    (void)!chdir(kept.directory);
    return true;
}

static bool take_back_locale(void)
{
    if (strcmp(setlocale(LC_ALL, NULL), kept.locale) == 0)
        return false;
    (void)setlocale(LC_ALL, kept.locale);
    return true;
}

/* A descriptor that was closed becomes /dev/null, or the next file that is opened would get its number, and what is
 * printed would end up in that file. */
static bool take_back_files(void)
{
    bool changed = false;
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        if (fcntl(i, F_GETFD) < 0)
            changed = open("/dev/null", O_RDWR) == i || changed; /* the lowest that is free */
    return changed;
}

/* ------------------------------------------------------------------------------------------------------ together */

void harness_surroundings_take_back(const char *who)
{
    const bool now[CHANGES] = { take_back_floating_point(),    take_back_signals(), take_back_directory(),
                                umask(kept.mask) != kept.mask, take_back_locale(),  take_back_files() };
    for (size_t i = 0; i < CHANGES; i++) {
        if (now[i] && !kept.changed[i])
            (void)dprintf(STDERR_FILENO, "picafuzz: backend %s changed %s of the process that it shares: put back\n",
                          who, words[i]);
        kept.changed[i] = kept.changed[i] || now[i];
    }
}

void harness_surroundings_changed(char *out, size_t size)
{
    out[0] = '\0';
    for (size_t i = 0; i < CHANGES; i++)
        if (kept.changed[i])
            (void)snprintf(out + strlen(out), size - strlen(out), "%s%s", out[0] != '\0' ? ", " : "", words[i]);
}
