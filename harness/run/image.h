/* Guest memory as CPU loads make it: all windows, one after the other. */
#ifndef HARNESS_RUN_IMAGE_H
#define HARNESS_RUN_IMAGE_H

#include "pica/backend.h"

/* Bytes of all windows. */
size_t harness_image_size(const struct pica_setup *setup);

/* MEM-08: bytes outside the windows are dropped. */
void harness_image_load(const struct pica_setup *setup, uint8_t *image, uint32_t address, const uint8_t *data,
                        uint32_t size);

/* The beginning of a case: zeros and its chunks. */
void harness_image_begin(const struct pica_setup *setup, uint8_t *image);

/* Copies out; bytes outside the windows read as 0. */
void harness_image_read(const struct pica_setup *setup, const uint8_t *image, uint32_t address, uint8_t *out,
                        size_t size);

#endif
