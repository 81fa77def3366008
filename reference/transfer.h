/* What display.c needs of the transfer engine. */
#ifndef REFERENCE_TRANSFER_H
#define REFERENCE_TRANSFER_H

#include "pica/enums.h"

/* PPF-10: the framebuffer format with the same memory layout; 5-7 act as 4. */
enum pica_color_format ref_transfer_color_format(enum pica_transfer_format format);

#endif
