/* `reference` under sides of known choices. Private to harness/vectors. */
#ifndef HARNESS_VECTORS_MACHINES_H
#define HARNESS_VECTORS_MACHINES_H

#include "harness/case/text.h"
#include "harness/run/backends.h"
#include "harness/run/runner.h"
#include "harness/vectors/vectors.h"

struct vectors_machines;

struct vectors_machines *vectors_machines_create(void); /* NULL if the host refuses memory */
void vectors_machines_destroy(struct vectors_machines *machines);

/* The machine with these sides, made when it is first asked for. It stays valid until 128 others were asked for. */
enum harness_status vectors_machine(struct vectors_machines *machines, const struct pica_choices *choices,
                                    struct harness_runner **out, struct harness_error *error);

/* One for each side: something to ask, or where an answer shows. */
struct vectors_sides {
    enum vectors_where at[PICA_CHOICES][PICA_MOST_SIDES];
};

/* Another side that may be right: no console was seen to do otherwise. */
static inline bool vectors_side_is_open(uint32_t choice, uint32_t number)
{
    const struct pica_side_info *const side = pica_side_info(choice, number);
    return number != 0 && side != NULL && side->standing == PICA_STANDING_OPEN;
}

/* Is the choice one that shows in nearly every case: what a register holds after reset, and the like? */
bool vectors_shows_everywhere(uint32_t choice);

/* Do these rules, spaces between them, name that of the choice? A case of these is about it. */
bool vectors_rules_name(const char *rules, uint32_t choice);

/* Which of the sides in `asked`, each taken alone in place of the one in `base`, leave something else than `base`, and
 * where. A case that many sides change together and none alone is not seen. */
enum harness_status vectors_machines_touching(struct vectors_machines *machines, const struct harness_program *program,
                                              const struct pica_choices *base, const struct vectors_sides *asked,
                                              struct vectors_sides *out, struct harness_error *error);

#endif
