/* All packs by their names. */
#ifndef HARNESS_CONSOLE_PACKS_PACKS_H
#define HARNESS_CONSOLE_PACKS_PACKS_H

#include "harness/console/packs/splits.h"

/* Asks the gates about each case of a pack and takes into the export what they let pass. */
typedef enum harness_status (*console_pack_adder)(struct console_asking *asking, struct harness_error *error);

/* "decide", "splits", "registers", "numbers", "score", "captures"; NULL: there is no such pack. */
console_pack_adder console_pack_by_name(const char *name);

#endif
