/* Where the textures of a draw lie in memory, from its registers (TEX and CUB rules). */
#ifndef ORACLES_TEXTURE_H
#define ORACLES_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

/* TEX-16: is the unit (0-2) live? `registers` are PICA_REGISTERS words, as the draw sees them; so below. */
bool oracle_texture_is_live(const uint32_t *registers, uint32_t unit);

/* TEX-31: bytes from the address that a live unit may read. */
uint64_t oracle_texture_size(const uint32_t *registers, uint32_t unit);

/* TEX-19, CUB-03: address of face 0-5 (face 0 is the image of other types). */
uint32_t oracle_texture_address(const uint32_t *registers, uint32_t unit, uint32_t face);
uint32_t oracle_texture_faces(const uint32_t *registers, uint32_t unit);

/* TEX-23: period in bytes with which memory must repeat so that all texels of a live unit are alike: one texel, or a
 * block of colours (8 bytes) for ETC1 and ETC1A4; 0: half a byte. */
uint32_t oracle_texture_period(const uint32_t *registers, uint32_t unit);

#endif
