/* What the parts of the console share; only they include it. */
#ifndef TESTS_CONSOLE_PARTS_H
#define TESTS_CONSOLE_PARTS_H

#include "tests/console/mock.h"

#include <unicorn/unicorn.h>

/* ---------------------------------------------------------------------------------------------------------- memory */

enum {
    MOCK_REGIONS = 16,
    MOCK_PAGE = 0x1000,
    MOCK_LINE = 32, /* of the data cache, bytes */
    MOCK_LINEAR_BYTES = 0x01000000,
    MOCK_SHARED_BYTES = 0x1000
};

static const uint32_t MOCK_VRAM = 0x1F000000u;
static const uint32_t MOCK_TLS = 0x1FF82000u;
static const uint32_t MOCK_CONFIGURATION = 0x1FF80000u;

/* What the program sees at some virtual addresses. */
struct mock_region {
    uint32_t address;
    uint32_t size;
    uint32_t rights;   /* UC_PROT_* */
    uint8_t *bytes;    /* as the processor sees them through its cache */
    uint8_t *clean;    /* as it last got them from memory; NULL: nobody but the processor sees this region */
    uint32_t physical; /* of regions that the GPU sees; their memory is the backend's */
};

/* --------------------------------------------------------------------------------------------------------- handles */

enum mock_object {
    MOCK_NOTHING,
    MOCK_SESSION_SRV,
    MOCK_SESSION_APT,
    MOCK_SESSION_FS,
    MOCK_SESSION_GSP,
    MOCK_SESSION_FILE,
    MOCK_EVENT,
    MOCK_MUTEX,
    MOCK_SHARED_MEMORY
};

enum {
    MOCK_HANDLES = 64,
    MOCK_PATH = 256
};

struct mock_handle {
    enum mock_object object;
    bool sticky;   /* events */
    bool signaled; /* events, mutexes: free */
    bool ready;    /* sessions: said hello as that service wants it */
    int file;      /* host descriptor */
    char path[MOCK_PATH];
    bool may_write;
};

/* ------------------------------------------------------------------------------------------------------------- gpu */

enum {
    MOCK_SLEEP_THREAD = 0x0A /* a system call */
};

/* What the upper screen was told to show; address 0: nothing yet. */
struct mock_screen {
    uint32_t address, stride, format;
};

/* A picture that was transferred, of an emulator that writes nothing back. */
struct mock_picture {
    uint32_t physical, size;
    uint8_t *bytes;
};

struct mock_gsp {
    bool has_right;
    uint64_t right_returns; /* when the HOME menu lets go; 0: it does not hold the right */
    bool registered;
    uint32_t event;      /* handle that interrupts signal */
    uint8_t *shared;     /* MOCK_SHARED_BYTES */
    bool is_lit;         /* SetLcdForceBlack was told so */
    bool shows_linear;   /* a frame buffer lies in memory that an exit takes away */
    bool busy;           /* a command runs */
    bool hung;           /* and never ends */
    uint64_t done;       /* when it ends */
    uint32_t command[8]; /* it */
    uint64_t next_vblank;
    void *backend;
    struct pica_state *state;
    uint8_t *guest; /* VRAM as the processor and DMA see it, where that is not what the GPU sees; or NULL */
    struct mock_screen upper;
    struct mock_picture picture;
};

enum mock_apt_step {
    MOCK_APT_NEW,
    MOCK_APT_INITIALIZED,
    MOCK_APT_ENABLED,
    MOCK_APT_WAITS,   /* NotifyToWait was sent */
    MOCK_APT_AWAKE,   /* the wake-up was received */
    MOCK_APT_CLOSING, /* PrepareToCloseApplication */
    MOCK_APT_JUMPING, /* PrepareToDoApplicationJump */
    MOCK_APT_LEFT
};

struct mock_apt {
    enum mock_apt_step step;
    uint32_t lock;
    uint32_t notification;
    uint32_t resume;
    uint64_t wakes;      /* when the resume event comes; 0: nothing planned */
    uint32_t parameters; /* other than the wake-up that were received */
    bool notified;       /* the notification came */
    uint32_t to_inquire; /* it, until somebody asks */
};

struct mock {
    const struct mock_setup *setup;
    struct mock_result *result;
    size_t effect_capacity;
    uc_engine *cpu;
    struct mock_region regions[MOCK_REGIONS];
    uint32_t region_count;
    struct mock_handle handles[MOCK_HANDLES];
    struct mock_gsp gsp;
    struct mock_apt apt;
    uint64_t now;    /* ns */
    uint64_t blocks; /* of code, since the last system call */
    bool over;       /* result->ending is set */
    bool card_gone;
    uint64_t card_used; /* bytes written so far */
    uint32_t linear_used;
};

/* ----------------------------------------------------------------------------------------------------- screens.c */

void mock_show(struct mock *console);

/* ----------------------------------------------------------------------------------------------------- mock.c */

void mock_end(struct mock *console, enum mock_ending ending, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void mock_effect(struct mock *console, enum mock_effect_kind kind, uint32_t address, uint32_t size, uint32_t value,
                 const char *text);
void mock_mistake(struct mock *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------------------------------------------------- memory.c */

/* Page-aligned; NULL if the host refuses. Memory is full of zeros. */
struct mock_region *mock_map(struct mock *console, uint32_t address, uint32_t size, uint32_t rights);
struct mock_region *mock_region(struct mock *console, uint32_t address, uint32_t size);
uint8_t *mock_bytes(struct mock *console, uint32_t address, uint32_t size); /* NULL: not all there */
void mock_unmap(struct mock *console, const struct mock_region *region);
void mock_unmap_all(struct mock *console);

uint32_t mock_word(const uint8_t *bytes);
void mock_put_word(uint8_t *bytes, uint32_t value);

/* Physical address of bytes that the GPU can see; 0: it cannot. */
uint32_t mock_physical(struct mock *console, uint32_t address, uint32_t size);
bool mock_flush(struct mock *console, uint32_t address, uint32_t size);
bool mock_invalidate(struct mock *console, uint32_t address, uint32_t size);

/* ------------------------------------------------------------------------------------------------------ program.c */

/* Lays the program out at the base and relocates it. False: no loader would take it; `reason` says why. */
bool mock_load_program(struct mock *console, uint32_t base, char *reason, size_t reason_size);

/* --------------------------------------------------------------------------------------------------------- time.c */

void mock_pass(struct mock *console, uint64_t nanoseconds);
/* Until the handle is signaled (true) or the time is over; for ever is UINT64_MAX. */
bool mock_wait(struct mock *console, uint32_t handle, uint64_t nanoseconds);
uint64_t mock_ticks(const struct mock *console);

/* ------------------------------------------------------------------------------------------------------- kernel.c */

void mock_system_call(struct mock *console, uint32_t number);
uint32_t mock_open(struct mock *console, enum mock_object object); /* a new handle */
struct mock_handle *mock_handle(struct mock *console, uint32_t handle);
void mock_signal(struct mock *console, uint32_t handle);
void mock_close_all(struct mock *console);

/* --------------------------------------------------------------------------------------------- the services' doors */

/* The message in the thread's local storage: words[0] is the header. They answer in place. */
void mock_srv(struct mock *console, struct mock_handle *session, uint8_t *message);
void mock_apt_call(struct mock *console, struct mock_handle *session, uint8_t *message);
void mock_fs(struct mock *console, struct mock_handle *session, uint8_t *message);
void mock_file(struct mock *console, struct mock_handle *session, uint8_t *message);
void mock_gsp_call(struct mock *console, struct mock_handle *session, uint8_t *message);

/* message.c: the answer "result, words", with the header of the request's command. */
void mock_answer(uint8_t *message, uint32_t normal, uint32_t translated, uint32_t result);
uint32_t mock_sent(const uint8_t *message, uint32_t word);
void mock_reply(uint8_t *message, uint32_t word, uint32_t value);
/* Descriptor at `word`, pointer behind it: the bytes, or NULL and a mistake. */
uint8_t *mock_static_buffer(struct mock *console, const uint8_t *message, uint32_t word, uint32_t index, uint32_t size);
uint8_t *mock_mapped_buffer(struct mock *console, const uint8_t *message, uint32_t word, uint32_t rights,
                            uint32_t size);
/* Where the caller wants what is sent back as static buffer `index`. */
uint8_t *mock_receive_buffer(struct mock *console, const uint8_t *message, uint32_t index, uint32_t size);

/* ---------------------------------------------------------------------------------------- gsp_queue.c and engine.c */

void mock_gsp_start(struct mock *console);              /* the next command of the queue, if none runs */
void mock_gsp_finish(struct mock *console);             /* the running one is done */
void mock_interrupt(struct mock *console, uint32_t id); /* into the relay queue */
void mock_look_at_screens(struct mock *console);        /* what the frame buffer entries ask for */

/* weak.c */
bool mock_is_emulator(const struct mock *console);
bool mock_weak_open(struct mock *console);
void mock_weak_written(struct mock *console, uint32_t physical, uint32_t size); /* not by drawing: all see it */
/* A transfer or copy between VRAM and linear memory, done as a weak machine does it. False: it does it as any. */
bool mock_weak_transfer(struct mock *console, uint32_t from, uint32_t to, uint32_t size, bool is_copy);
void mock_weak_reached(struct mock *console, uint32_t address, uint32_t size); /* caches of linear memory */

enum pica_status mock_gpu_open(struct mock *console);
void mock_gpu_close(struct mock *console);
void mock_gpu_reset(struct mock *console);
bool mock_gpu_accepts(struct mock *console, const uint32_t command[8]);
bool mock_gpu_hangs(struct mock *console, const uint32_t command[8]);
void mock_gpu_execute(struct mock *console, const uint32_t command[8]);
uint32_t mock_gpu_register(struct mock *console, uint32_t physical);
void mock_gpu_write(struct mock *console, uint32_t physical, uint32_t value);
bool mock_gpu_read_memory(struct mock *console, uint32_t physical, uint8_t *out, uint32_t size);
bool mock_read_guest(struct mock *console, uint32_t physical, uint8_t *out, uint32_t size); /* not the GPU */
bool mock_gpu_write_memory(struct mock *console, uint32_t physical, const uint8_t *bytes, uint32_t size);

#endif
