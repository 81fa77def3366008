/*
 * A machine that runs one .3dsx program as a console would, as far as the project's fact sheets say what a console does
 * (docs/console-facts.md). It is the strictest reading of them: what a program made with libctru would not do, and
 * every wrong parameter, order, size or address, ends it with a message that says what and where.
 *
 * All time is virtual: instructions and what calls are said to cost. Same program and card, same run.
 */
#ifndef CONSOLE_SECOND_MACHINE_H
#define CONSOLE_SECOND_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* How a run ended; also the exit code of the program `second_machine`, where 2 is bad usage. */
enum second_end {
    SECOND_TIDY = 0,    /* everything given back, then ExitProcess */
    SECOND_REFUSED = 1, /* the program did what no standard program does */
    SECOND_CRASHED = 3, /* an access to memory that is not there, an instruction that does not exist, a break */
    SECOND_TROUBLE = 4, /* of the host: a file, memory, the GPU's backend */
    SECOND_TOO_LONG = 5 /* more virtual seconds than were allowed */
};

/* Zeros are a plain machine. Lists are counted from 1, 0 is none. */
struct second_options {
    const char *program; /* the .3dsx file */
    const char *card;    /* the directory that is the SD card */
    const char *screens; /* PREFIX of pictures PREFIX-top.png, PREFIX-bottom.png: what both screens show at the end,
                               * before the program has them dark; NULL: none */
    uint32_t base;       /* where code is loaded; 0: 0x00100000 */
    uint32_t linear;     /* bytes of FCRAM below the linear block, a multiple of 4096 */
    uint32_t client;     /* gsp's client index, 0-3 */
    uint32_t parameter_first; /* an APT command that comes before the wake-up; 0: none */
    uint32_t notification;    /* of APT: it comes 0.3 s after the wake-up (3: may we sleep, 11: close); 0: none */
    uint32_t crash_at_list;   /* the machine's own process dies of a signal there, as an emulator does that crashes */
    uint32_t freeze_at_list;  /* ... or stands still for ever */
    uint32_t hang_at_list;    /* the GPU hangs there, until ResetGpuCore */
    uint32_t seconds;         /* virtual ones until SECOND_TOO_LONG; 0: 600 */
    bool first_user;          /* RegisterInterruptRelayQueue answers 0x2A07 */
    bool float24;             /* shaders compute as PICA_PROFILE_F24 */
    bool no_registers;        /* ReadHWRegs answers, and gives nothing */
    bool no_write_back;       /* what lists draw never comes back to memory that the CPU can read */
    bool trace;               /* each system call on stderr */
};

struct second_machine;

/* NULL: no memory, or no processor. `options` and its strings are borrowed for the machine's life. */
struct second_machine *second_create(const struct second_options *options);
void second_destroy(struct second_machine *machine); /* accepts NULL */

/* Runs the program to its end; once. */
enum second_end second_run(struct second_machine *machine);

/* Why it ended, with call, parameter and program counter; "" after a tidy end. Valid until the machine is destroyed. */
const char *second_message(const struct second_machine *machine);

/* What it did otherwise than libctru though the fact sheet calls it harmless: lines, "" if there was nothing. */
const char *second_remarks(const struct second_machine *machine);

/* How many command lists the GPU was given. */
uint32_t second_lists(const struct second_machine *machine);

#endif
