/* The words of the text form that are not in pica's tables. */
#ifndef HARNESS_PCASE_NAMES_H
#define HARNESS_PCASE_NAMES_H

#include "harness/case/case.h"
#include "pica/fields.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    HARNESS_LIMIT_NAMES = 6,
    HARNESS_ELEMENT_NAMES = 7,
    HARNESS_PATTERN_NAMES = 3
};
extern const char *const harness_limit_names[HARNESS_LIMIT_NAMES];
extern const char *const harness_element_names[HARNESS_ELEMENT_NAMES]; /* by enum harness_element */
extern const char *const harness_pattern_names[HARNESS_PATTERN_NAMES]; /* by enum harness_pattern */

/* The limits of a case, in the order of their names; and what CMD-20 has for each. */
uint32_t harness_limit_get(const struct harness_case *test_case, uint32_t index);
void harness_limit_set(struct harness_case *test_case, uint32_t index, uint32_t value);
uint32_t harness_limit_default(uint32_t index);

/* Offsets of the external registers that the words of a fill and a transfer go to. */
extern const uint32_t harness_fill_registers[2][4];
extern const uint32_t harness_transfer_registers[9];

/* Name and layout of the register at a physical address: external, internal or LCD. False if it has none. */
bool harness_register_name(uint32_t address, const char **name, enum pica_layout *layout);

/* The inverse: the address of the register of that name. */
bool harness_register_address(const char *name, uint32_t *address, enum pica_layout *layout);

/* Internal registers by name in constant time: a reader asks for thousands. */
struct harness_register_index {
    uint16_t slots[2048]; /* id + 1, 0 = free; more than twice the registers */
};

void harness_register_index_init(struct harness_register_index *index);

/* PICA_REGISTERS if there is no register of that name. */
uint32_t harness_register_find(const struct harness_register_index *index, const char *name);

#endif
