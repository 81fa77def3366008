/* The machine's parts as its own files see them. */
#ifndef CONSOLE_SECOND_PARTS_H
#define CONSOLE_SECOND_PARTS_H

#include "tests/console_second/machine.h"

#include <stddef.h>
#include <stdio.h>
#include <unicorn/unicorn.h>

#include "pica/backend.h"

enum {
    PAGE = 0x1000,
    LINE = 32, /* of the data cache, bytes */
    MOST_REGIONS = 24,
    MOST_OBJECTS = 64,
    MOST_HANDLES = 64,
    MESSAGE_WORDS = 64,
    VRAM_BYTES = 0x600000,
    TICKS_A_SECOND = 268111856,
    TICKS_A_BLANK = 4481136, /* 59.83 a second */
    READABLE = 1,
    WRITABLE = 2,
    EXECUTABLE = 4
};

#define VRAM_VIRTUAL    UINT32_C(0x1F000000)
#define LINEAR_VIRTUAL  UINT32_C(0x30000000)
#define FCRAM_PHYSICAL  UINT32_C(0x20000000)
#define CURRENT_PROCESS UINT32_C(0xFFFF8001)
#define TIMED_OUT       UINT32_C(0x09401BFE)

/* Words in memory of the program are little-endian, whatever the host is. */
static inline uint32_t get32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static inline void put32(uint8_t *bytes, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        bytes[i] = (uint8_t)(word >> (8 * i));
}

/* Memory that the program sees. */
struct region {
    uint32_t address, bytes;
    uint8_t *host;
    uint32_t permissions;
    const char *name;
    bool owned; /* freed with the machine */
};

enum kind {
    KIND_NONE,
    KIND_EVENT,
    KIND_MUTEX, /* one thread: it is free, or held by it */
    KIND_SESSION,
    KIND_BLOCK, /* of shared memory */
    KIND_LIMITS
};

/* What a handle names. */
struct object {
    enum kind kind;
    const char *name;
    uint32_t references;           /* handles, and the system's own */
    bool signaled;                 /* events; a mutex: it is free */
    bool sticky;                   /* events: stay signaled until cleared */
    const struct service *service; /* sessions */
    FILE *file;                    /* sessions with a file */
    uint32_t open_flags;
    uint8_t *bytes; /* blocks, one page */
    uint32_t block_permissions;
    uint32_t mapped_at; /* blocks; 0: not mapped */
};

struct message {
    uint32_t words[MESSAGE_WORDS];
    struct object *session;
    uint32_t id; /* of the command, for the reply */
};

#define ANY UINT64_MAX /* of `words` below: the command itself looks at this one */

struct command {
    uint32_t header;
    const char *name;
    void (*run)(struct second_machine *machine, struct message *message);
    uint64_t words[9]; /* what words 1, 2, ... must be */
};

struct service {
    const char *name;
    const struct command *commands;
    size_t count;
};

struct applet {
    struct object *lock, *notification, *resume;
    struct object *session; /* the one that is open, NULL: none */
    bool initialised, enabled, waiting, awake, closing, unlocked, prepared, jump_prepared, left;
    uint64_t wakes_at;  /* UINT64_MAX: never */
    uint32_t parameter; /* command of the one that waits to be received; 0: none */
    bool parameter_swallowed;
    uint64_t tells_at;          /* when the notification of options.notification comes; UINT64_MAX: never */
    bool told, asked, answered; /* InquireNotification had it; it wants an answer, which came */
};

struct gsp {
    struct object *event, *block;
    struct object *session;
    uint8_t *page; /* shared */
    bool has_right, registered, black, shown[2], pictured;
    uint64_t next_blank;
    bool busy, hung;
    uint32_t command[8];
    uint64_t done_at;
    uint32_t lists;
};

struct second_machine {
    struct second_options options;
    uc_engine *processor;
    uint64_t ticks;
    enum second_end end;
    bool ended;
    char text[1024], remarks[4096];
    const char *call; /* what is being executed, for messages */
    char service_call[64];
    uint32_t parameter[6]; /* r0-r5 at the call */

    struct region regions[MOST_REGIONS];
    size_t region_count;
    uint8_t *tls;             /* of the one thread: 0x200 bytes */
    uint8_t *linear, *synced; /* what the CPU sees of the linear block; what of it the GPU knows */
    uint32_t linear_bytes;
    uint8_t *vram;       /* what the CPU sees of it */
    uint8_t *guest_vram; /* with no_write_back: what a program can get to see, else NULL */
    bool drawn[VRAM_BYTES / PAGE];
    uint32_t heap_bytes;

    struct object objects[MOST_OBJECTS];
    struct {
        struct object *object;
        uint32_t generation;
    } handles[MOST_HANDLES];

    void *gpu; /* of ref_backend(); NULL until it is first needed */
    bool gpu_failed;
    bool registered, files_ready, archive_open; /* at srv:, at fs:USER */
    struct applet applet;
    struct gsp gsp;
};

/* machine.c */

/* Whether it holds; if not, the run ends and the message says so. After that everything returns as soon as it can. */
bool second_must(struct second_machine *m, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for what a fact sheet calls without risk: it is written down, and the program goes on. */
void second_remark(struct second_machine *m, bool holds, const char *format, ...) __attribute__((format(printf, 3, 4)));
void second_finish(struct second_machine *m, enum second_end end, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
uint32_t second_register(struct second_machine *m, int which);
void second_set_register(struct second_machine *m, int which, uint32_t value);
/* Time passes until `ticks`, and what is due by then happens. */
void second_advance(struct second_machine *m, uint64_t ticks);
/* When the next thing happens by itself; UINT64_MAX: never. */
uint64_t second_next_due(const struct second_machine *m);

/* memory.c */

/* `bytes` zeros for the program, a multiple of PAGE; NULL after a refusal. Freed with the machine. */
uint8_t *second_map(struct second_machine *m, const char *name, uint32_t address, uint32_t bytes, uint32_t permissions);
/* The same over memory of the caller's, which outlives the machine's processor. */
bool second_map_bytes(struct second_machine *m, const char *name, uint32_t address, uint32_t bytes,
                      uint32_t permissions, uint8_t *host);
void second_unmap(struct second_machine *m, uint32_t address);
/* The bytes at an address, all in one region with these permissions; NULL if they are not. */
uint8_t *second_at(struct second_machine *m, uint32_t address, uint32_t bytes, uint32_t permissions);
bool second_in_linear(const struct second_machine *m, uint32_t address, uint32_t bytes);
bool second_in_vram(uint32_t address, uint32_t bytes);
uint32_t second_physical(const struct second_machine *m, uint32_t address);
/* Whether the CPU wrote there what was never flushed. Of linear memory. */
bool second_dirty(const struct second_machine *m, uint32_t address, uint32_t bytes);
void second_flush(struct second_machine *m, uint32_t address, uint32_t bytes);
void second_invalidate(struct second_machine *m, uint32_t address, uint32_t bytes);

/* load.c */
bool second_load(struct second_machine *m, uint32_t *entry);

/* handles.c */
struct object *second_object(struct second_machine *m, enum kind kind, const char *name);
void second_release(struct object *object);                              /* one reference less; accepts NULL */
uint32_t second_handle(struct second_machine *m, struct object *object); /* takes a reference; 0 after a refusal */
struct object *second_named(struct second_machine *m, uint32_t handle, enum kind kind); /* KIND_NONE: any; or refusal */
void second_close(struct second_machine *m, uint32_t handle);
void second_signal(struct object *event);

/* kernel.c */
void second_call(struct second_machine *m, uint8_t number);

/* message.c: commands of services */
void second_send(struct second_machine *m, struct object *session);
/* The reply: `normal` words, the result among them, then `translate` ones; `words` from 2 on are the caller's. */
void second_reply(struct message *message, uint32_t result, uint32_t normal, uint32_t translate);
/* The bytes of a static buffer whose descriptor stands at `word`: exactly `bytes` of them, in that slot. */
const uint8_t *second_static(struct second_machine *m, const struct message *message, uint32_t word, uint32_t slot,
                             uint32_t bytes);
/* Where the program wants to receive static buffer `slot`: `bytes` exactly. */
uint8_t *second_receive(struct second_machine *m, uint32_t slot, uint32_t bytes);
/* A mapped buffer whose descriptor stands at `word`; `permissions`: what the service does with it. */
uint8_t *second_buffer(struct second_machine *m, const struct message *message, uint32_t word, uint32_t bytes,
                       uint32_t permissions);

extern const struct service second_srv, second_apt, second_gsp, second_fs, second_file, second_hid;

/* apt.c, gsp.c: what happens when it is due; what must be in order at the end */
void second_apt_due(struct second_machine *m);
void second_gsp_due(struct second_machine *m);
void second_apt_at_exit(struct second_machine *m);
void second_gsp_given_back(struct second_machine *m);
void second_interrupt(struct second_machine *m, uint8_t which);
/* Before the program stores `value` of `bytes` at an offset of the shared page. */
void second_gsp_stores(struct second_machine *m, uint32_t offset, uint32_t bytes, uint32_t value, bool exclusive);

/* gx.c: GX commands */
void second_gx_take(struct second_machine *m);               /* the next one of the queue, if there is one */
void second_gx_execute(struct second_machine *m);            /* the one that was taken */
void second_show(struct second_machine *m, uint32_t screen); /* a changed frame buffer entry */

/* screens.c: the pictures that options ask for */
void second_screens(struct second_machine *m);

/* gpu.c */
bool second_gpu_start(struct second_machine *m);
void second_gpu_again(struct second_machine *m); /* there is linear memory now, which it has to know */
/* Raises its interrupts, but those of the mask `muted` (gsp's numbers). False: it never ends, or the run is over. */
bool second_gpu_run(struct second_machine *m, const struct pica_operation *operation, uint32_t muted);
void second_gpu_read(struct second_machine *m, uint32_t physical, uint8_t *out, uint32_t bytes);
void second_gpu_write(struct second_machine *m, uint32_t physical, const uint8_t *bytes, uint32_t count);
bool second_gpu_register(struct second_machine *m, uint32_t offset, uint32_t *value); /* as gsp counts offsets */
void second_gpu_set(struct second_machine *m, uint32_t physical, uint32_t value);
bool second_gpu_differs(struct second_machine *m, uint32_t vram_offset, const uint8_t *page);
void second_gpu_destroy(struct second_machine *m);
bool second_gpu_picture(struct second_machine *m, uint32_t screen, uint8_t *rgb, size_t bytes);

#endif
