/* Work in a child process, so that a backend that crashes or hangs takes nothing with it. */
#include "harness/cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    DOING_SIZE = 256
};

/* Shared with the guarded child; NULL outside cli_guard. Process-wide by nature: there is one child at a time. */
static char *doing;

void cli_doing(const char *format, ...)
{
    if (doing == NULL)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(doing, DOING_SIZE, format, arguments);
    va_end(arguments);
}

static int explain_death(const char *what, unsigned timeout, int signal_number)
{
    if (signal_number == SIGALRM)
        fprintf(stderr, "picafuzz: %s: hung: not done after %u s (%s)\n", what, timeout, doing);
    else
        fprintf(stderr, "picafuzz: %s: crashed: %s (%s)\n", what, strsignal(signal_number), doing);
    return CLI_CRASHED;
}

static int wait_for(pid_t child, const char *what, unsigned timeout)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) {
            fprintf(stderr, "picafuzz: %s: waiting failed: %s\n", what, strerror(errno));
            return CLI_HOST;
        }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        (void)raise(SIGPIPE); /* whoever read our output went away: nothing more to say to anyone */
    if (WIFSIGNALED(status))
        return explain_death(what, timeout, WTERMSIG(status));
    const int code = WEXITSTATUS(status);
    if (code <= CLI_HOST)
        return code;
    fprintf(stderr, "picafuzz: %s: ended with exit code %d (%s)\n", what, code, doing);
    return CLI_CRASHED; /* a sanitizer's exit, or a plug-in that called exit */
}

int cli_guard(const char *what, unsigned timeout, int (*work)(const void *argument), const void *argument)
{
    doing = mmap(NULL, DOING_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (doing == MAP_FAILED) {
        doing = NULL;
        fprintf(stderr, "picafuzz: %s: out of memory\n", what);
        return CLI_HOST;
    }
    (void)snprintf(doing, DOING_SIZE, "starting");
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (timeout != 0) {
            (void)signal(SIGALRM, SIG_DFL);
            (void)alarm(timeout);
        }
        const int code = work(argument);
        if (fflush(stdout) != 0 || ferror(stdout) != 0) {
            fprintf(stderr, "picafuzz: standard output: cannot be written\n");
            exit(cli_worse(code, CLI_HOST));
        }
        exit(code);
    }
    int code = CLI_HOST;
    if (child < 0)
        fprintf(stderr, "picafuzz: %s: cannot start a process: %s\n", what, strerror(errno));
    else
        code = wait_for(child, what, timeout);
    (void)munmap(doing, DOING_SIZE);
    doing = NULL;
    return code;
}
