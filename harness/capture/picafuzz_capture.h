/*
 * Captures a frame of any 3DS emulator for picafuzz. Copy picafuzz_capture.h and picafuzz_capture.c into your tree:
 * they need the C standard library and nothing else, and are valid C99 and C++11. MIT licence.
 *
 *     struct picafuzz_capture *frame = picafuzz_capture_begin(read_guest, this);
 *     picafuzz_capture_state(frame, PICAFUZZ_CAPTURE_REGISTERS, registers, 0x300);
 *     ...                                                   the other state that your GPU has by now
 *     picafuzz_capture_changed(frame, address, size);       whatever the CPU wrote to memory
 *     picafuzz_capture_list(frame, address, size);          each thing that the GPU is told to do, before it does it
 *     ...
 *     char why[PICAFUZZ_CAPTURE_WHY];
 *     if (!picafuzz_capture_end(frame, "frame.picacap", why, sizeof why))
 *         puts(why);
 *
 * The file holds the state, everything that the GPU was told in order, and the memory that it read, each page once:
 * `picafuzz show frame.picacap`, `picafuzz run ...`, `picafuzz diff ...`. docs/capture-a-frame.md of picafuzz says in
 * which order to call, what a capture trusts you for and what it costs; docs/formats/picacap.md what is in the file.
 *
 * All addresses are physical. Call from one thread at a time. Only the last call reports errors: after the first thing
 * that goes wrong all other calls do nothing, and the last one says what it was. Every function accepts NULL, so that a
 * hook in your emulator is one line: picafuzz_capture_list(frame, address, size).
 */
#ifndef PICAFUZZ_CAPTURE_H
#define PICAFUZZ_CAPTURE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct picafuzz_capture;

enum {
    PICAFUZZ_CAPTURE_VERSION = 2, /* of the file: PCAP3DS2 */
    PICAFUZZ_CAPTURE_WHY = 256    /* bytes of a message */
};

/*
 * Copies `size` bytes of guest memory at `address` as the GPU would read them now: if your GPU keeps surfaces of its
 * own, write them back first. The bytes lie inside one page of 4096 bytes. Returns 1, or 0 if there is no such memory:
 * it is asked for any address, so it must know where memory ends.
 */
typedef int (*picafuzz_capture_memory)(void *user, uint32_t address, uint8_t *out, uint32_t size);

/* NULL if the host has no memory. `user` is handed to the callback. */
struct picafuzz_capture *picafuzz_capture_begin(picafuzz_capture_memory memory, void *user);

/*
 * What the GPU holds when the frame begins, part by part, before anything else is told. A part that is not given is as
 * after a reset; integer and boolean uniforms, queues and positions then follow from the registers. One word for each
 * element, whatever its width; floating-point elements as the bits of a binary32. `count` may be less than the part
 * has.
 */
enum picafuzz_capture_part {
    PICAFUZZ_CAPTURE_REGISTERS = 0,        /* 0x300: the internal registers 0x000-0x2FF. If 0x000-0x03F are all 0, they
                                             are taken as not kept: they get their reset values */
    PICAFUZZ_CAPTURE_ENGINES = 1,          /* 0x400: the words at 0x10400000 */
    PICAFUZZ_CAPTURE_LCD_FILL = 2,         /* 2: the words at 0x10202204 and 0x10202A04 */
    PICAFUZZ_CAPTURE_LIGHTING = 4,         /* 24 x 256 words of the lookup tables, as written to the port */
    PICAFUZZ_CAPTURE_FOG = 5,              /* 128 */
    PICAFUZZ_CAPTURE_GAS = 6,              /* 16 */
    PICAFUZZ_CAPTURE_NOISE = 7,            /* 128: procedural texture, tables 0, */
    PICAFUZZ_CAPTURE_COLOR_MAP = 8,        /* 128: 2, */
    PICAFUZZ_CAPTURE_ALPHA_MAP = 9,        /* 128: 3, */
    PICAFUZZ_CAPTURE_COLORS = 10,          /* 256: 4, */
    PICAFUZZ_CAPTURE_DIFFERENCES = 11,     /* 256: and 5 */
    PICAFUZZ_CAPTURE_VERTEX_CODE = 12,     /* 4096 at most; a console has 512 */
    PICAFUZZ_CAPTURE_VERTEX_OPERANDS = 13, /* 128: operand descriptors ("swizzle data") */
    PICAFUZZ_CAPTURE_VERTEX_FLOATS = 14,   /* 96 x 4 floats: c0.x, c0.y, c0.z, c0.w, c1.x, ... */
    PICAFUZZ_CAPTURE_GEOMETRY_CODE = 19,   /* the same of the geometry shader */
    PICAFUZZ_CAPTURE_GEOMETRY_OPERANDS = 20,
    PICAFUZZ_CAPTURE_GEOMETRY_FLOATS = 21,
    PICAFUZZ_CAPTURE_FIXED = 26 /* 16 x 4 floats: fixed ("default") attributes */
    /* The numbers between and after these, up to 59, are those of pica/state.def: few emulators keep such state. */
};
void picafuzz_capture_state(struct picafuzz_capture *capture, int part, const uint32_t *words, uint32_t count);

/* The bits of a binary32 that a float24 stands for, for the floats above: uniforms are often kept so. */
uint32_t picafuzz_capture_float24(uint32_t raw);

/* The CPU has written [address, address + size). Without this call a page that the capture already has stays as it is
 * there. */
void picafuzz_capture_changed(struct picafuzz_capture *capture, uint32_t address, uint32_t size);

/* The CPU may have written anywhere: for emulators that cannot tell where, before each operation. Compares each page of
 * the capture except those that the GPU may have written: what the CPU writes there must be told by the call above. */
void picafuzz_capture_changed_anywhere(struct picafuzz_capture *capture);

/* Before the GPU runs the list of `size` bytes at `address`. */
void picafuzz_capture_list(struct picafuzz_capture *capture, uint32_t address, uint32_t size);

/* Before the CPU writes `value` to a register: 0x10400000-0x10401FFF and the two LCD fill colours; others do nothing.
 * A write that starts a list, a fill or a transfer starts it here too: then do not tell of it by another call. */
void picafuzz_capture_write(struct picafuzz_capture *capture, uint32_t address, uint32_t value);

/* Before fill unit 0 or 1 is started with START END VALUE CTRL = words, as written to its registers. */
void picafuzz_capture_fill(struct picafuzz_capture *capture, int unit, const uint32_t words[4]);

/* Before a display transfer or texture copy: the words of 0x10400C00 C04 C08 C0C C10 C14 C20 C24 C28. */
void picafuzz_capture_transfer(struct picafuzz_capture *capture, const uint32_t words[9]);

/* A vertical blank of screen 0 (top) or 1 (bottom). */
void picafuzz_capture_vblank(struct picafuzz_capture *capture, int screen);

/* The next operation also reads [address, address + size): for what the capture cannot know. */
void picafuzz_capture_reads(struct picafuzz_capture *capture, uint32_t address, uint32_t size);

/* A line of text for people. Put one before each frame if there are several in the file. */
void picafuzz_capture_note(struct picafuzz_capture *capture, const char *text);

/*
 * Ends the capture and frees it. Returns 1 if the whole file was written, 0 if nothing was: `why` (`size` bytes) then
 * says why, like "operation 3 (list at 0x20001000) needs 0x18100000 (texture 0), which the emulator does not give".
 * `path` NULL: only frees it.
 */
int picafuzz_capture_end(struct picafuzz_capture *capture, const char *path, char *why, size_t size);

#ifdef __cplusplus
}
#endif

#endif
