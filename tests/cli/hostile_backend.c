/*
 * The reference as a plug-in that means harm: PICAFUZZ_HOSTILE=DEED@PLACE[,DEED@PLACE..] in the places entry, create,
 * load, run (each operation), transfer, read. What a deed answers is what the call returns; "wrong" and "random" change
 * what is read, "rounded" does while rounding is upward. What picafuzz says of a case must be the same in every
 * command, whatever is done here.
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 64
};

/* ------------------------------------------------------------------------------------------------------------ deeds */

static enum pica_status nothing(void)
{
    return PICA_OK;
}

static enum pica_status fail(void)
{
    return PICA_FAILED;
}

static enum pica_status refuse(void)
{
    return PICA_NOT_SUPPORTED;
}

static enum pica_status lack_memory(void)
{
    return PICA_NO_MEMORY;
}

static enum pica_status write_wildly(void)
{
    *(volatile int *)(uintptr_t)0x1234 = 1;
    return PICA_OK;
}

static _Noreturn enum pica_status leave_well(void)
{
    _exit(0);
}

static _Noreturn enum pica_status leave_badly(void)
{
    exit(1);
}

static _Noreturn enum pica_status give_up(void)
{
    abort();
}

static enum pica_status stop(void)
{
    (void)raise(SIGSTOP);
    return PICA_OK;
}

static _Noreturn enum pica_status sleep_for_ever(void)
{
    for (;;)
        (void)pause();
}

static _Noreturn enum pica_status block_and_spin(void)
{
    sigset_t all;
    volatile unsigned turns = 0;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    for (;;)
        turns++;
}

/* 0.3 s of processor time */
static enum pica_status be_slow(void)
{
    const clock_t begin = clock();
    while (clock() - begin < CLOCKS_PER_SEC / 10 * 3) {
    }
    return PICA_OK;
}

static enum pica_status close_all(void)
{
    for (int i = 0; i < DESCRIPTORS; i++)
        (void)close(i);
    return PICA_OK;
}

static enum pica_status write_to_all(void)
{
    char bytes[256];
    memset(bytes, 0xFF, sizeof bytes);
    for (int i = STDERR_FILENO + 1; i < DESCRIPTORS; i++)
        (void)!write(i, bytes, sizeof bytes);
    return PICA_OK;
}

static enum pica_status let_none_wait(void)
{
    for (int i = STDERR_FILENO + 1; i < DESCRIPTORS; i++)
        (void)fcntl(i, F_SETFL, O_RDWR | O_NONBLOCK);
    return PICA_OK;
}

static void on_alarm(int number)
{
    (void)number;
}

/* From now on each call that waits is interrupted. */
static enum pica_status interrupt(void)
{
    const struct sigaction action = { .sa_handler = on_alarm };
    const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
    (void)sigaction(SIGALRM, &action, NULL);
    (void)setitimer(ITIMER_REAL, &often, NULL);
    return PICA_OK;
}

static enum pica_status round_up(void)
{
    (void)fesetround(FE_UPWARD);
    return PICA_OK;
}

static enum pica_status round_to_zero(void)
{
    (void)fesetround(FE_TOWARDZERO);
    return PICA_OK;
}

static enum pica_status go_elsewhere(void)
{
    (void)!chdir("/");
    return PICA_OK;
}

static enum pica_status mask_all(void)
{
    (void)umask(0777);
    return PICA_OK;
}

static enum pica_status speak_otherwise(void)
{
    (void)setlocale(LC_ALL, "C.UTF-8");
    return PICA_OK;
}

static enum pica_status block_signals(void)
{
    sigset_t all;
    (void)sigfillset(&all);
    (void)sigprocmask(SIG_SETMASK, &all, NULL);
    return PICA_OK;
}

static enum pica_status close_standard(void)
{
    for (int i = 0; i <= STDERR_FILENO; i++)
        (void)close(i);
    return PICA_OK;
}

static enum pica_status ignore_signals(void)
{
    for (int number = 1; number < 32; number++)
        (void)signal(number, SIG_IGN);
    return PICA_OK;
}

/* As if somebody pressed Ctrl-C while this runs: the command is the process that PICAFUZZ_COMMAND names. */
static enum pica_status urge(void)
{
    const char *const command = getenv("PICAFUZZ_COMMAND");
    if (command != NULL)
        (void)kill((pid_t)strtol(command, NULL, 10), SIGINT);
    return PICA_OK;
}

static enum pica_status say_escapes(void)
{
    (void)fprintf(stderr, "\033]0;owned\007\033[31mRED\n");
    return PICA_OK;
}

static const struct deed {
    const char *name;
    enum pica_status (*act)(void);
} deeds[] = {
    { "fail", fail },
    { "refuse", refuse },
    { "memory", lack_memory },
    { "wild", write_wildly },
    { "exit0", leave_well },
    { "exit1", leave_badly },
    { "abort", give_up },
    { "stop", stop },
    { "sleep", sleep_for_ever },
    { "spin", block_and_spin },
    { "slow", be_slow },
    { "close", close_all },
    { "stray", write_to_all },
    { "interrupt", interrupt },
    { "nowait", let_none_wait },
    { "roundup", round_up },
    { "roundzero", round_to_zero },
    { "directory", go_elsewhere },
    { "umask", mask_all },
    { "locale", speak_otherwise },
    { "block", block_signals },
    { "standard", close_standard },
    { "ignore", ignore_signals },
    { "escape", say_escapes },
    { "urge", urge },
    { "wrong", nothing },
    { "random", nothing },
    { "rounded", nothing },
};

/* Is the deed wanted there? */
static bool is_wanted(const char *deed, const char *place)
{
    char word[64];
    const char *const wanted = getenv("PICAFUZZ_HOSTILE");
    (void)snprintf(word, sizeof word, "%s@%s", deed, place);
    const char *const found = wanted != NULL ? strstr(wanted, word) : NULL;
    return found != NULL && (found == wanted || found[-1] == ',') && strchr(",", found[strlen(word)]) != NULL;
}

/* The first answer that is not PICA_OK. */
static enum pica_status act(const char *place)
{
    enum pica_status status = PICA_OK;
    for (size_t i = 0; i < sizeof deeds / sizeof deeds[0] && status == PICA_OK; i++)
        if (is_wanted(deeds[i].name, place))
            status = deeds[i].act();
    return status;
}

/* ------------------------------------------------------------------------------------------------------------ calls */

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const enum pica_status status = act("create");
    return status == PICA_OK ? ref_backend()->create(options, instance) : status;
}

static enum pica_status load(void *instance, const struct pica_setup *setup)
{
    const enum pica_status status = act("load");
    return status == PICA_OK ? ref_backend()->load(instance, setup) : status;
}

static enum pica_status run(void *instance, const struct pica_operation *operation)
{
    enum pica_status status = act("run");
    if (status == PICA_OK && operation->kind == PICA_OPERATION_DISPLAY_TRANSFER)
        status = act("transfer");
    return status == PICA_OK ? ref_backend()->run(instance, operation) : status;
}

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    enum pica_status status = act("read");
    if (status == PICA_OK)
        status = ref_backend()->read_memory(instance, address, out, size);
    if (size != 0 && is_wanted("wrong", "read"))
        out[size / 2] ^= 1u;
    if (size != 0 && is_wanted("rounded", "read") && fegetround() == FE_UPWARD)
        out[size / 2] ^= 1u;
    if (size != 0 && is_wanted("random", "read"))
        out[size / 2] ^= (uint8_t)getpid();
    return status;
}

const struct pica_backend *pica_backend_entry(void);

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static struct pica_models models;
    (void)act("entry");
    models = (struct pica_models){
        .size = sizeof models, .parts = PICA_PART_MEMORY, .budgets = PICA_BUDGETS_ALL, .float24 = 1
    };
    backend = (struct pica_backend){ .abi = PICA_BACKEND_ABI,
                                     .size = sizeof backend,
                                     .name = "hostile",
                                     .summary = "means harm",
                                     .create = create,
                                     .destroy = ref_backend()->destroy,
                                     .load = load,
                                     .run = run,
                                     .read_memory = read_memory,
                                     .models = &models };
    return &backend;
}
