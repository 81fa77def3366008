#include "harness/case/pcb.h"
#include "pica/memory.h"

#include <stddef.h>

/*
 * The hot registers, for the id codes 0x300-0x3FF: those that a random or flipped id should hit more often than others:
 * triggers, ports, enables and the words that most state depends on. Each range stands `times` times, one range after
 * another, the whole again until all 256 codes are used. Never change a line, or old files decode to other cases.
 */
static const struct {
    uint16_t first;
    uint8_t count;
    uint8_t times;
} hot[] = {
    { 0x22E, 2, 6 },  /* draws */
    { 0x227, 2, 2 },  /* index buffer, vertices */
    { 0x232, 4, 2 },  /* fixed attributes */
    { 0x25E, 2, 2 },  /* primitive, restart */
    { 0x010, 1, 1 },  /* finalize */
    { 0x238, 6, 1 },  /* list jumps */
    { 0x2B0, 5, 1 },  /* VS uniforms */
    { 0x2B9, 5, 1 },  /* VS configuration */
    { 0x2C0, 2, 2 },  /* VS uniform port */
    { 0x2CB, 2, 2 },  /* VS code port */
    { 0x2D5, 2, 1 },  /* VS descriptor port */
    { 0x280, 5, 1 },  /* GS uniforms */
    { 0x289, 5, 1 },  /* GS configuration */
    { 0x290, 2, 1 },  /* GS uniform port */
    { 0x29B, 2, 1 },  /* GS code port */
    { 0x2A5, 2, 1 },  /* GS descriptor port */
    { 0x229, 2, 1 },  /* geometry stage, vertex offset */
    { 0x244, 1, 1 },  /* unit sharing */
    { 0x252, 3, 1 },  /* geometry stage modes */
    { 0x200, 6, 1 },  /* vertex arrays */
    { 0x040, 5, 1 },  /* culling, viewport */
    { 0x04D, 4, 1 },  /* depth map, output map */
    { 0x065, 4, 1 },  /* scissor, viewport */
    { 0x080, 6, 2 },  /* texture unit 0 */
    { 0x08E, 2, 1 },  /* texture 0 type, lighting */
    { 0x091, 6, 1 },  /* texture unit 1 */
    { 0x099, 6, 1 },  /* texture unit 2 */
    { 0x0A8, 6, 1 },  /* procedural texture */
    { 0x0AF, 2, 1 },  /* its tables */
    { 0x0C0, 5, 2 },  /* combiner stage 0 */
    { 0x0C8, 5, 1 },  /* combiner stage 1 */
    { 0x0E0, 2, 1 },  /* fog */
    { 0x0E6, 3, 1 },  /* fog table */
    { 0x0F8, 6, 1 },  /* combiner stage 5, buffer */
    { 0x100, 8, 3 },  /* fragment operations */
    { 0x112, 7, 1 },  /* buffer access and formats */
    { 0x11B, 4, 1 },  /* buffer addresses */
    { 0x130, 1, 1 },  /* shadow */
    { 0x140, 12, 1 }, /* light 0 */
    { 0x1C0, 1, 1 },  /* ambient */
    { 0x1C2, 5, 1 },  /* lighting */
    { 0x1C8, 1, 2 },  /* its tables */
    { 0x1D0, 3, 1 },  /* table inputs */
    { 0x1D9, 1, 1 }   /* light permutation */
};

uint16_t harness_pcb_id(uint32_t code)
{
    if (code < PCB_IDS)
        return (uint16_t)code;
    uint32_t left = code - PCB_IDS;
    for (;;)
        for (size_t i = 0; i < sizeof hot / sizeof hot[0]; i++) {
            const uint32_t length = (uint32_t)hot[i].count * hot[i].times;
            if (left < length)
                return (uint16_t)(hot[i].first + left % hot[i].count);
            left -= length;
        }
}

/* Offsets from the external registers; 0x1000 and up are internal ids. Never change a line. */
static const struct {
    uint16_t first;
    uint8_t count; /* words one after another */
} writable[] = {
    { 0x0010, 8 },  /* fill units */
    { 0x0C00, 12 }, /* transfer engine */
    { 0x18E0, 6 },  /* list channels */
    { 0x1000, 64 }, /* interrupts */
    { 0x045C, 16 }, /* top screen */
    { 0x055C, 16 }, /* bottom screen */
    { 0x18B8, 2 },  /* draws */
    { 0x1978, 2 },  /* primitive, restart */
    { 0x1400, 32 }, /* fragment operations, buffers */
    { 0x1100, 16 }, /* rasteriser */
    { 0x1200, 64 }  /* textures */
};

uint32_t harness_pcb_write_address(uint32_t index)
{
    uint32_t left = index - 1;
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
        if (left < writable[i].count)
            return PICA_EXTERNAL_ADDRESS + writable[i].first + 4 * left;
        left -= writable[i].count;
    }
    return left % 2 == 0 ? PICA_LCD_FILL_TOP_ADDRESS : PICA_LCD_FILL_BOTTOM_ADDRESS;
}

/* The first entry that names the address, without walking all of them. */
uint32_t harness_pcb_write_index(uint32_t address)
{
    uint32_t index = 1;
    for (size_t i = 0; i < sizeof writable / sizeof writable[0]; i++) {
        const uint32_t offset = address - PICA_EXTERNAL_ADDRESS - writable[i].first;
        if (offset % 4 == 0 && offset / 4 < writable[i].count)
            return index + offset / 4;
        index += writable[i].count;
    }
    if (address == PICA_LCD_FILL_TOP_ADDRESS)
        return index;
    return address == PICA_LCD_FILL_BOTTOM_ADDRESS ? index + 1 : 0;
}
