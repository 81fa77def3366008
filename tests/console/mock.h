/*
 * A console of our own: just enough of a 3DS to run one .3dsx program of this house and to see what it does. The
 * processor is libunicorn's, the GPU any backend (struct pica_backend); system calls, services, queues and caches are
 * here, as docs/console-facts.md describes them. What a real console would answer by hanging, an error or silence,
 * this one also writes down.
 */
#ifndef TESTS_CONSOLE_MOCK_H
#define TESTS_CONSOLE_MOCK_H

#include "pica/backend.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What goes wrong, or is merely unusual. All zeros: nothing. */
struct mock_faults {
    uint32_t hang_word;          /* a command list that holds this word never ends; 0: none */
    bool hang_until_power_off;   /* resetting the GPU does not help */
    uint32_t lose_interrupt;     /* the n-th interrupt of the GPU, from 1, never comes; 0: all come */
    uint32_t withdraw_right;     /* at the n-th GX command the HOME menu takes the GPU for two seconds; 0: never */
    uint64_t card_bytes;         /* room on the card; 0: plenty */
    uint32_t remove_card;        /* the n-th write to the card, and every later call, fails; 0: never */
    uint32_t cut_power;          /* the console is off in the middle of the n-th write to the card; 0: never */
    uint32_t cut_bytes;          /* ... of which so many bytes arrive */
    uint32_t linear_address;     /* virtual; 0: 0x30000000 */
    uint32_t linear_physical;    /* 0: 0x20000000 */
    uint32_t client_index;       /* slot in the shared memory, 0-3 */
    bool first_user;             /* nobody has initialised the GPU: result 0x2A07 */
    bool vblanks;                /* of both screens, also for a client that asked for none */
    uint32_t queue_position;     /* where both rings begin */
    uint32_t clock_multiple;     /* ticks run so many times as fast as usual; 0: 1 */
    uint32_t gpu_microseconds;   /* that each command takes; 0: 50 */
    uint32_t power_off_after_ms; /* somebody holds the power button at that time; 0: never */
    uint32_t other_parameters;   /* of APT that come before the wake-up, with a handle each */
    uint32_t notification;       /* that APT has for us (CON-28), ... */
    uint32_t notify_after_ms;    /* ... at that time; 0: never */
    uint32_t linear_bytes;       /* room for linear memory; 0: 16 MiB */
    bool page_taken;             /* something lies where programs map gsp's page */
    bool no_home_menu;           /* none is registered: nobody can jump through it */
    bool no_chain_load;          /* the launcher does not want us back */
    bool no_vram_dma;            /* a DMA out of VRAM ends, and wrote nothing */
};

/*
 * Ways in which emulators are weaker than a console; any of them makes it one: caches agree with memory, and nobody
 * answers for Luma. All false: a console.
 */
struct mock_weaknesses {
    bool only_standard; /* what programs made with libctru never use is refused: GX DMA, registers that are read, ... */
    bool one_block;     /* of linear memory; a second one is an address at which nothing lies */
    bool one_slot;      /* of the two descriptions of a frame buffer only the second is looked at */
    bool no_write_back; /* what is drawn or transferred stays with the host: nobody but the GPU and the screen ever
                           reads it */
    bool stale;         /* it stays there until a transfer or copy reads it */
    bool empty_answers; /* "success" without data, from what programs made with libctru never use */
    bool blanks_only;   /* no interrupts but vertical blanks */
    bool dies_at_dma;   /* out of VRAM */
    bool no_dma, no_copies, no_transfers; /* out of VRAM: they end, and nothing was written */
    bool
        hides_depth; /* pages from physical 0x18001000 to 0x18001FFF stay with the host: the self-test's depth buffer */
};

struct mock_setup {
    const struct pica_backend *gpu;
    enum pica_profile profile; /* the numbers that its shaders compute with */
    const uint8_t *program;    /* the .3dsx */
    size_t program_size;
    uint32_t base;            /* where it is loaded; 0: 0x00100000 */
    const char *program_path; /* what the launcher says that it started, e.g. "sdmc:/3ds/a.3dsx"; NULL: says nothing */
    const char *card;         /* directory that is the SD card; must exist */
    struct mock_faults faults;
    struct mock_weaknesses weak;
    void (*frame)(void *user, const uint8_t *rgb); /* NULL, or told what the upper screen shows, whenever the program
                                                      sleeps: 400x240 pixels, r g b, lines from the top */
    void *user;
};

enum mock_ending {
    MOCK_EXITED,     /* by ExitProcess */
    MOCK_POWER_LOST, /* as the faults wanted it */
    MOCK_STUCK,      /* waits for what never comes */
    MOCK_ENDLESS,    /* computes without ever calling the system */
    MOCK_FAULTED,    /* touched memory that it has not, or an instruction that does not exist */
    MOCK_BROKE,      /* by Break */
    MOCK_NOT_STARTED /* no .3dsx that a loader would take, or host trouble */
};

/* Everything that a program does to the world outside of its own memory, and what a console would not forgive. */
enum mock_effect_kind {
    MOCK_WRITES_REGISTER, /* address: physical; size: bytes */
    MOCK_WRITES_MEMORY,   /* by DMA; address: physical */
    MOCK_RUNS_ENGINE,     /* address: the command word of GX */
    MOCK_SHOWS_SCREEN,    /* address: of the frame buffer, virtual */
    MOCK_OPENS_FILE,      /* text: path */
    MOCK_WRITES_FILE,     /* text: path; address: offset */
    MOCK_CALLS_SYSTEM,    /* address: number */
    MOCK_CALLS_SERVICE,   /* address: header of the message; value: its word 1; size: its word 2 */
    MOCK_MISTAKE          /* text: what */
};

struct mock_effect {
    enum mock_effect_kind kind;
    uint32_t address;
    uint32_t size;
    uint32_t value; /* first word that is written */
    char text[96];
};

struct mock_result {
    enum mock_ending ending;
    char reason[160]; /* for a person */
    struct mock_effect *effects;
    size_t effect_count;
    size_t mistakes;      /* effects of that kind */
    uint32_t card_writes; /* for cut_power and remove_card */
    uint32_t gpu_commands;
    uint32_t gpu_interrupts;
    uint64_t nanoseconds; /* that the run took, as its clock saw them without clock_multiple */
};

/* Runs the program to its end. PICA_OK if it could be started, then *result is to be released. */
enum pica_status mock_run(const struct mock_setup *setup, struct mock_result *result);
void mock_release(struct mock_result *result);

/* The first mistake, or "none". */
const char *mock_first_mistake(const struct mock_result *result);

#endif
