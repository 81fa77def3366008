/* The physical address map (MEM-01, EXT-CMD-01, PSC-12). Sizes are in bytes. How addresses are translated is behaviour,
 * so each backend has its own code for it. */
#ifndef PICA_MEMORY_H
#define PICA_MEMORY_H

#include <stdint.h>

static const uint32_t PICA_VRAM_ADDRESS = 0x18000000u;
static const uint32_t PICA_VRAM_SIZE = 0x00600000u;
static const uint32_t PICA_FCRAM_ADDRESS = 0x20000000u;
static const uint32_t PICA_FCRAM_SIZE = 0x08000000u;

static const uint32_t PICA_EXTERNAL_ADDRESS = 0x10400000u; /* external registers, 0x1000 bytes */
static const uint32_t PICA_INTERNAL_ADDRESS = 0x10401000u; /* internal register i at + 4 * i, 0x1000 bytes */
static const uint32_t PICA_LCD_FILL_TOP_ADDRESS = 0x10202204u;
static const uint32_t PICA_LCD_FILL_BOTTOM_ADDRESS = 0x10202A04u;

#endif
