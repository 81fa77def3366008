/*
 * What the PC and the program on the console agree about: the payload that is the program's rodata segment, the journal
 * and the results that it leaves on the card. docs/formats/console-payload.md explains each word; docs/console-facts.md
 * says where the facts (CON-01) come from.
 *
 * Freestanding C17: nothing but <stdint.h> and <stdbool.h>. Every struct is words of 32 bits, little-endian, without
 * padding, aligned to 4 bytes. Offsets named `payload` count from the payload's first byte, offsets named `linear` from
 * the program's one block of linear memory.
 */
#ifndef HARNESS_CONSOLE_PAYLOAD_H
#define HARNESS_CONSOLE_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>

/* --------------------------------------------------------------------------------------------- addresses (CON-10) */

enum {
    CONSOLE_VRAM_VIRTUAL = 0x1F000000,
    CONSOLE_VRAM_PHYSICAL = 0x18000000,
    CONSOLE_VRAM_BYTES = 0x600000,
    CONSOLE_PAGE = 4096,
    CONSOLE_MOST_WINDOWS = 16
};

/* Offsets of registers as gsp counts them, from virtual 0x1EB00000 (CON-30). */
enum {
    CONSOLE_REGISTER_BASE = 0x1EB00000,
    CONSOLE_INTERNAL_REGISTERS = 0x401000, /* id 0; each id 4 bytes */
    CONSOLE_TRAFFIC_COUNTERS = 0x400070,   /* 20 words */
    CONSOLE_REGISTER_CHUNK = 0x80          /* most bytes of one call */
};

/* ------------------------------------------------------------------------------------------------------- payload */

enum {
    CONSOLE_PAYLOAD_VERSION = 3,
    CONSOLE_RUNTIME_VERSION = 3,
    CONSOLE_NAME_BYTES = 32
};

#define CONSOLE_PAYLOAD_MAGIC UINT32_C(0x50434350) /* "PCCP" */

/* The first bytes of the rodata segment. */
struct console_payload {
    uint32_t magic;
    uint32_t version;
    uint32_t bytes;                /* of the payload, this header included; a multiple of 4 */
    uint32_t crc;                  /* CRC-32 (zlib's) of everything behind this word: `id` first */
    uint32_t id[2];                /* names this export: a journal with another id is not ours */
    uint32_t linear_bytes;         /* size of the block of linear memory that the cases need, a multiple of 4096 */
    uint32_t hang_microseconds;    /* no interrupt for so long is a hang (CON-50) */
    uint32_t case_count;           /* self-tests included: they come first */
    uint32_t case_table;           /* payload offset of struct console_case[case_count] */
    uint32_t self_test_count;      /* cases 0 .. self_test_count - 1 */
    uint32_t run_count;            /* self-tests are not in the table of runs */
    uint32_t run_table;            /* payload offset of struct console_run[run_count] */
    uint32_t results_most[2];      /* bytes that the results can take on the card: low, high */
    uint32_t show_blanks;          /* so many vertical blanks a SHOW lasts; 0: there is none */
    char name[CONSOLE_NAME_BYTES]; /* "cases": files NAME.journal, NAME.results; zero-terminated, [a-z0-9_-] */
};

/*
 * From CONSOLE_CASE_LOADED on: capabilities. A self-test has the one that it proves; a case those that it needs. What
 * does not come back takes away the verdicts that rest on it, and nothing else.
 */
enum console_case_flag {
    CONSOLE_CASE_REQUIRED = 1,       /* a self-test without which a console may not go on */
    CONSOLE_CASE_VRAM_LIST = 2,      /* submits a list in VRAM: skipped if the self-test with this flag failed */
    CONSOLE_CASE_MAY_HANG = 4,       /* is suspected to hang: expected to need a recovery */
    CONSOLE_CASE_MOVED = 8,          /* for the PC: `source` does not lie in VRAM, what runs does (move.h) */
    CONSOLE_CASE_LOADED = 0x10,      /* bytes that were loaded into VRAM come back */
    CONSOLE_CASE_FILLED = 0x20,      /* bytes that a memory fill wrote */
    CONSOLE_CASE_TRANSFERRED = 0x40, /* ... a display transfer */
    CONSOLE_CASE_COPIED = 0x80,      /* ... a texture copy */
    CONSOLE_CASE_COLOR = 0x100,      /* colours that were drawn */
    CONSOLE_CASE_DEPTH = 0x200,      /* depth and stencil that were drawn */
    CONSOLE_CASE_REGISTERS = 0x400,  /* registers that are read back */
    CONSOLE_CASE_CAPABILITIES = 0x7F0
};

struct console_case {
    uint32_t commands;   /* payload offset of its commands */
    uint32_t words;      /* their length in words */
    uint32_t flags;      /* enum console_case_flag */
    uint32_t step_count; /* STEP commands in it */
    /* For the PC, which reads the payload again to understand the results. The program does not look at these. */
    uint32_t name;         /* payload offset of its name, zero-terminated */
    uint32_t source;       /* payload offset of the case as text (docs/formats/pcase.md), in zlib's format */
    uint32_t source_bytes; /* of that */
    uint32_t source_raw;   /* bytes of the text */
    uint32_t depth;        /* physical address of the first page that depth and stencil change */
    uint32_t depth_bytes;  /* up to behind the last such page; 0: none */
};

/* One line of the order in which everything is run. */
struct console_run {
    uint32_t case_index;
    uint32_t pass; /* 0: pages are written out; 1: the second time, only their CRC-32 */
};

/* ------------------------------------------------------------------------------------------------------ commands */

/*
 * A command is a header word, kind | words << 16 (`words` counts the header), then its arguments. They are executed in
 * order. Nothing is implied: flushes, transfers and reads are commands of their own.
 */
enum console_command {
    CONSOLE_COMMAND_CLEAR = 1,     /* struct console_clear: CPU writes zeros into linear memory */
    CONSOLE_COMMAND_COPY = 2,      /* struct console_copy: CPU copies from the payload into linear memory */
    CONSOLE_COMMAND_FLUSH = 3,     /* struct console_flush: FlushDataCache of a range of linear memory */
    CONSOLE_COMMAND_GX = 4,        /* struct console_gx: one GX command, then wait for its interrupt */
    CONSOLE_COMMAND_WRITE = 5,     /* struct console_write: one register by WriteHWRegs */
    CONSOLE_COMMAND_READ = 6,      /* struct console_read: VRAM to linear memory, changed pages to the results */
    CONSOLE_COMMAND_REGISTERS = 7, /* struct console_registers: ReadHWRegs to the results */
    CONSOLE_COMMAND_STEP = 8,      /* struct console_step: closes what was read since the last one */
    CONSOLE_COMMAND_SHOW = 9       /* struct console_show: a colour buffer on the upper screen */
};

struct console_clear {
    uint32_t linear;
    uint32_t bytes; /* a multiple of 4 */
};

struct console_copy {
    uint32_t linear;
    uint32_t payload;
    uint32_t bytes;
};

struct console_flush {
    uint32_t linear;
    uint32_t bytes;
};

enum console_interrupt {
    CONSOLE_INTERRUPT_PSC0 = 0,
    CONSOLE_INTERRUPT_PSC1 = 1,
    CONSOLE_INTERRUPT_PPF = 4,
    CONSOLE_INTERRUPT_P3D = 5,
    CONSOLE_INTERRUPT_DMA = 6
};

enum console_gx_id {
    CONSOLE_GX_DMA = 0,
    CONSOLE_GX_LIST = 1,
    CONSOLE_GX_FILL = 2,
    CONSOLE_GX_TRANSFER = 3,
    CONSOLE_GX_COPY = 4
};

struct console_gx {
    uint32_t interrupt; /* enum console_interrupt that says it is done */
    uint32_t linear;    /* bit i: words[i] is a linear offset; the program adds the block's virtual address */
    uint32_t words[8];  /* as gsp takes them (CON-40): virtual addresses; words[0] with its flags */
};

struct console_write {
    uint32_t offset; /* from 0x1EB00000 */
    uint32_t value;
};

/*
 * How bytes come from VRAM into linear memory, and how they went there. Which of them work is found out by self-tests
 * (console_way_order); the one in use is CONSOLE_READ_* | CONSOLE_LOAD_COPY or nothing.
 */
enum console_way {
    CONSOLE_READ_DMA = 0,      /* GX DMA: no engine that cases test */
    CONSOLE_READ_COPY = 1,     /* texture copy, lines of 4096 bytes without a gap */
    CONSOLE_READ_TRANSFER = 2, /* display transfer, RGBA8, tiled to tiled: every byte as it is */
    CONSOLE_READ_CPU = 3,      /* loads of the processor, after InvalidateDataCache of VRAM */
    CONSOLE_READ_WAYS = 4,
    CONSOLE_LOAD_COPY = 4, /* contents went there by texture copy, not by GX DMA */
    CONSOLE_WAYS = 8
};

/*
 * 1. Fill linear memory at `buffer` with CONSOLE_CANARY; FlushDataCache; fetch `bytes` from `address` into it by the
 *    way in use; InvalidateDataCache of the buffer.
 * 2. For each page of 4096 bytes, from the lowest: if four words in a row are still CONSOLE_CANARY the page is unread:
 *    count it. Else if it differs from the page at `image`: in pass 0 append a PAGE record; in both passes add its
 *    physical address (4 bytes) and its 4096 bytes to the step's CRC-32, and copy it over the page at `image`. So only
 *    changes are recorded, and the next READ of that range compares with this one.
 */
struct console_read {
    uint32_t address; /* virtual, VRAM; a multiple of 4096 */
    uint32_t bytes;   /* a multiple of 4096 */
    uint32_t image;   /* linear offset */
    uint32_t buffer;  /* linear offset */
};

/* `bytes` of registers from `offset`, at most CONSOLE_REGISTER_CHUNK, become a REGISTERS record (both passes). The
 * receive buffer is filled with CONSOLE_CANARY before the call. */
struct console_registers {
    uint32_t offset; /* from 0x1EB00000, a multiple of 4 */
    uint32_t bytes;  /* a multiple of 4 */
};

#define CONSOLE_CANARY UINT32_C(0xCA5A51ED)

/* Appends a STEP record. Of a self-test: the test failed if `crc` is not the step's. */
struct console_step {
    uint32_t step;      /* 0 for the first of the case, then 1, ... */
    uint32_t check;     /* 1: compare with `crc` */
    uint32_t crc;       /* of the changed pages, 0 if there is none */
    uint32_t operation; /* index of the operation that came before, for the PC; UINT32_MAX: none, the load alone */
};

/*
 * Pass 0 and self-tests: part of a tiled colour buffer on the upper screen, for screenshots of an emulator that gives
 * nothing back. It goes there as any picture does: by texture copies into `picture`, a tiled buffer of 240 pixels times
 * 400 lines, and from there by a display transfer of all of it. The first 16 lines hold the code (console_show_code):
 * bit 29 - i is tile i of the first 8, white or black, and its opposite tile i of the second 8. The part follows.
 */
struct console_show {
    uint32_t number;  /* of the picture; CONSOLE_SHOW_NUMBERS at most */
    uint32_t address; /* virtual, VRAM: the first tile */
    uint32_t tiles;   /* in a row; CONSOLE_SHOW_TILES at most */
    uint32_t gap;     /* tiles between the end of a row and the next one */
    uint32_t rows;    /* of tiles; CONSOLE_SHOW_ROWS at most */
    uint32_t format;  /* as transfers and screens count: 0 RGBA8, RGB8, RGB565, RGB5A1, 4 RGBA4 */
    uint32_t picture; /* virtual, VRAM: CONSOLE_SHOW_BYTES that no case has */
};

enum {
    CONSOLE_SHOW_NUMBERS = 1 << 14,
    CONSOLE_SHOW_LINES = 400, /* of the picture: columns of the screen */
    CONSOLE_SHOW_TILES = 30,  /* 240 pixels */
    CONSOLE_SHOW_CODE_ROWS = 2,
    CONSOLE_SHOW_ROWS = 48,
    CONSOLE_SHOW_FORMATS = 5,
    CONSOLE_SHOW_BYTES = CONSOLE_SHOW_LINES * 8 * CONSOLE_SHOW_TILES * 4
};

/* What the screen shows: RGBA8 as RGB8, as programs do; the others as they are. */
static inline uint32_t console_show_screen(uint32_t format)
{
    return format == 0 ? 1 : format;
}

/* Bytes of a pixel. */
static inline uint32_t console_show_bytes(uint32_t format)
{
    return format == 0 ? 4 : format == 1 ? 3 : 2;
}

/* 14 bits number, 16 bits check; `crc`: CRC-32 of the payload's id and the number, 12 bytes. */
static inline uint32_t console_show_code(uint32_t number, uint32_t crc)
{
    return number << 16 | (crc & 0xFFFF);
}

/* ----------------------------------------------------------------------------------------- journal, on the card */

/*
 * NAME.journal: entries of 32 bytes, one after another, each written and flushed by itself. An entry whose crc is wrong
 * ends the journal (a power cut). A journal whose first entry has another id is begun anew, and so are the results.
 */
#define CONSOLE_JOURNAL_MAGIC UINT32_C(0x4A434350) /* "PCCJ" */

enum console_journal_kind {
    CONSOLE_JOURNAL_OPEN = 1,  /* the program started (each time); argument: starts before this one */
    CONSOLE_JOURNAL_START = 2, /* run `argument` is about to begin; of a self-test 0x80000000 + its case, and the way
                                  (enum console_way) from bit 24 on */
    CONSOLE_JOURNAL_DONE = 3,  /* run `argument` has all its records on the card, also when it hung and was recovered */
    CONSOLE_JOURNAL_STAGE = 4, /* the program is about to do `argument` of enum console_stage */
    CONSOLE_JOURNAL_END = 5    /* all runs are done */
};

/* Where a program that starts and never goes on stopped. */
enum console_stage {
    CONSOLE_STAGE_FILES = 1,
    CONSOLE_STAGE_APPLET = 2,    /* APT: initialise, wait to be woken */
    CONSOLE_STAGE_RIGHT = 3,     /* gsp: AcquireRight */
    CONSOLE_STAGE_QUEUE = 4,     /* gsp: interrupt queue, shared memory */
    CONSOLE_STAGE_FIRST_USE = 5, /* registers of the first use (CON-52) */
    CONSOLE_STAGE_MEMORY = 6,    /* linear memory */
    CONSOLE_STAGE_SPACE = 7,     /* is there room on the card */
    CONSOLE_STAGE_SELF_TEST = 8,
    CONSOLE_STAGE_RECOVER = 9, /* after a hang */
    CONSOLE_STAGE_LEAVE = 10
};

struct console_journal {
    uint32_t magic;
    uint32_t kind;
    uint32_t argument;
    uint32_t id[2];      /* of the payload */
    uint32_t results[2]; /* bytes of NAME.results that are whole: a later start goes on writing there */
    uint32_t crc;        /* CRC-32 of the 28 bytes before */
};

/* ----------------------------------------------------------------------------------------- results, on the card */

/*
 * NAME.results: records one after another, from byte 0: this header, `bytes` of payload, zeros up to a multiple of 4.
 * A record stands for itself: it names its run, and its sequence number is one more than that of the record before. A
 * reader stops at the first that is cut or has a wrong crc (what a power cut leaves); all before it count.
 */
#define CONSOLE_RECORD_MAGIC UINT32_C(0x52434350) /* "PCCR" */

struct console_record {
    uint32_t magic;
    uint32_t kind;
    uint32_t sequence; /* 0 for the file's first */
    uint32_t bytes;    /* of the payload, without the zeros */
    uint32_t crc;      /* CRC-32 of kind, sequence, bytes and the payload */
};

enum console_record_kind {
    CONSOLE_RECORD_ABOUT = 1,     /* struct console_about: first, and again after each start */
    CONSOLE_RECORD_PAGE = 2,      /* struct console_page: one changed page */
    CONSOLE_RECORD_REGISTERS = 3, /* struct console_register_block, then the words */
    CONSOLE_RECORD_STEP = 4,      /* struct console_step_result */
    CONSOLE_RECORD_RUN = 5,       /* struct console_run_result: a run is over */
    CONSOLE_RECORD_TEST = 6,      /* struct console_run_result: a self-test is over; `run` is its case */
    CONSOLE_RECORD_END = 7,       /* struct console_end: all runs are done */
    CONSOLE_RECORD_WAY = 8        /* struct console_way_choice: the self-tests of a start are over */
};

enum {
    CONSOLE_RESULTS_VERSION = 2
};

enum console_about_flag {
    CONSOLE_ABOUT_FIRST_USER = 1,  /* RegisterInterruptRelayQueue gave 0x2A07 */
    CONSOLE_ABOUT_RESUMED = 2,     /* the journal was gone on with */
    CONSOLE_ABOUT_STRICT = 4,      /* a console, by what Luma says: every required self-test must pass */
    CONSOLE_ABOUT_NO_REGISTERS = 8 /* ReadHWRegs has no data */
};

struct console_about {
    uint32_t version; /* CONSOLE_RESULTS_VERSION */
    uint32_t id[2];   /* of the payload */
    uint32_t payload_crc;
    uint32_t runtime;          /* version of the program: CONSOLE_RUNTIME_VERSION */
    uint32_t hardware;         /* word at 0x1EF00000 (bit 2: New), 0 if it could not be read */
    uint32_t kernel_version;   /* word at 0x1FF80000 */
    uint32_t firmware_version; /* word at 0x1FF80060 */
    uint32_t luma_version;     /* GetSystemInfo 0x10000, 0; 0 if there is none */
    uint32_t linear_virtual;
    uint32_t linear_physical; /* 0: the system does not say */
    uint32_t client_index;
    uint32_t flags;  /* enum console_about_flag */
    uint32_t starts; /* before this one */
    char name[CONSOLE_NAME_BYTES];
};

struct console_page {
    uint32_t run; /* index into the table of runs; of a self-test 0x80000000 + its case */
    uint32_t step;
    uint32_t address; /* physical */
    uint32_t bytes[1024];
};

struct console_register_block {
    uint32_t run;
    uint32_t step;
    uint32_t offset; /* as asked for */
    uint32_t result; /* of ReadHWRegs; negative: failed, the words are canaries */
};

struct console_step_result {
    uint32_t run;
    uint32_t step;
    uint32_t pages; /* that changed */
    uint32_t crc;
    uint32_t unread;          /* pages that did not come back */
    uint32_t unread_range[2]; /* physical: the first of them, and behind the last */
};

enum console_run_status {
    CONSOLE_RUN_OK = 0,
    CONSOLE_RUN_HANG = 1,        /* no interrupt in time, and the program held the right to the GPU */
    CONSOLE_RUN_INTERRUPTED = 2, /* no interrupt, but the right was taken away: says nothing about the case */
    CONSOLE_RUN_POWER = 3,       /* the journal has a START without DONE: written by the start after it, or by the PC
                                    that saw the emulator die: `detail` is an enum console_power */
    CONSOLE_RUN_SKIPPED = 4,     /* not begun; `detail` is an enum console_skip */
    CONSOLE_RUN_REFUSED = 5,     /* a command that the program never executes; `detail` is its word index */
    CONSOLE_RUN_FAILED = 6,      /* a call failed: `detail` is its result */
    CONSOLE_RUN_UNREAD = 7,      /* a self-test: what it changed did not come back */
    CONSOLE_RUN_DIFFERS = 8,     /* a self-test: other bytes than `reference` leaves came back; `detail` is their crc */
    CONSOLE_RUN_STATUSES = 9
};

/* How an emulator died in a run, as the PC saw it. The program itself cannot know. */
enum console_power {
    CONSOLE_POWER_UNKNOWN = 0,
    CONSOLE_POWER_HUNG = 1,      /* it stood still and was killed */
    CONSOLE_POWER_CRASHED = 2,   /* it ended; from bit 8 on the signal, or 256 + its exit code */
    CONSOLE_POWER_CODE_SHIFT = 8 /* no kind */
};

enum console_skip {
    CONSOLE_SKIP_VRAM_LIST = 1, /* lists in VRAM do not run here */
    CONSOLE_SKIP_HUNG = 2,      /* its first pass hung */
    CONSOLE_SKIP_NO_GPU = 3     /* no self-test ended: the GPU's interrupts do not come */
};

struct console_run_result {
    uint32_t run;
    uint32_t case_index;
    uint32_t pass;   /* of a self-test: enum console_way */
    uint32_t status; /* enum console_run_status */
    uint32_t detail;
    uint32_t command;  /* word index, within the case, of the command that it stopped at; the length if it did not */
    uint32_t steps;    /* STEP records of it */
    uint32_t ticks[2]; /* from its first to its last command, 268.11 MHz: low, high */
};

/* Capabilities of what works and of what does not, both 0 of those that no self-test told about. */
struct console_way_choice {
    uint32_t way;     /* enum console_way */
    uint32_t works;   /* enum console_case_flag, or'ed */
    uint32_t missing; /* does not come back, or ends otherwise than by itself */
    uint32_t tried;   /* bit i: way i was tried in this start */
};

struct console_end {
    uint32_t done;
    uint32_t hung;
    uint32_t skipped;
};

/* --------------------------------------------------- what may be written: PC and program ask the same (CON-60) */

/* Whether [address, address + bytes) lies in [base, base + size); an empty range never does. */
static inline bool console_range_in(uint32_t address, uint32_t bytes, uint32_t base, uint32_t size)
{
    return bytes != 0 && address >= base && address - base < size && bytes <= size - (address - base);
}

/* The block of linear memory, virtual. */
struct console_linear {
    uint32_t address;
    uint32_t bytes;
};

static inline bool console_range_allowed(const struct console_linear *linear, uint32_t address, uint32_t bytes)
{
    return console_range_in(address, bytes, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES) ||
           console_range_in(address, bytes, linear->address, linear->bytes);
}

/*
 * Registers that a case may write: internal ids 0x040-0x2FF, but for those that start lists or draws, or that a list
 * must be running for (0x22E, 0x22F, 0x232-0x23D). Never interrupts (below 0x040), never anything outside (LCD).
 */
static inline bool console_register_allowed(uint32_t offset)
{
    if (offset % 4 != 0 || offset < CONSOLE_INTERNAL_REGISTERS)
        return false;
    const uint32_t id = (offset - CONSOLE_INTERNAL_REGISTERS) / 4;
    return id >= 0x040 && id < 0x300 && id != 0x22E && id != 0x22F && !(id >= 0x232 && id <= 0x23D);
}

static inline bool console_fill_allowed(uint32_t start, uint32_t end)
{
    return start == 0 ||
           (end > start && console_range_in(start, end - start, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES));
}

/*
 * A GX command after relocation. Of transfers and copies the first byte of each side is looked at: that all others lie
 * in VRAM was proved at export.
 */
static inline bool console_gx_allowed(const struct console_linear *linear, const uint32_t words[8])
{
    switch (words[0] & 0xFFu) {
    case CONSOLE_GX_DMA:
        return console_range_allowed(linear, words[1], words[3]) && console_range_allowed(linear, words[2], words[3]);
    case CONSOLE_GX_LIST: return words[2] % 16 == 0 && console_range_allowed(linear, words[1], words[2]);
    case CONSOLE_GX_FILL: return console_fill_allowed(words[1], words[3]) && console_fill_allowed(words[4], words[6]);
    case CONSOLE_GX_TRANSFER:
    case CONSOLE_GX_COPY:
        return console_range_in(words[1], 16, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES) &&
               console_range_in(words[2], 16, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES);
    default: return false;
    }
}

static inline bool console_show_allowed(const struct console_show *show)
{
    const uint32_t tile = 64 * console_show_bytes(show->format);
    return show->number < CONSOLE_SHOW_NUMBERS && show->format < CONSOLE_SHOW_FORMATS && show->tiles != 0 &&
           show->tiles <= CONSOLE_SHOW_TILES && show->rows != 0 && show->rows <= CONSOLE_SHOW_ROWS &&
           show->gap <= 1024 / 8 && show->address % 16 == 0 && show->picture % 16 == 0 &&
           console_range_in(show->address, ((show->rows - 1) * (show->tiles + show->gap) + show->tiles) * tile,
                            CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES) &&
           console_range_in(show->picture, CONSOLE_SHOW_BYTES, CONSOLE_VRAM_VIRTUAL, CONSOLE_VRAM_BYTES);
}

#endif
