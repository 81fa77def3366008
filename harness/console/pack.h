/*
 * The payload of a .3dsx (payload.h): cases lowered to the commands that the program on the console executes.
 *
 *     console_pack_create -> console_pack_add for each self-test, then for each case -> console_pack_finish -> destroy
 */
#ifndef HARNESS_CONSOLE_PACK_H
#define HARNESS_CONSOLE_PACK_H

#include "harness/case/case.h"
#include "harness/console/commands.h"
#include "harness/console/gate.h"
#include "harness/console/words.h"

struct console_pack;

/* `name`: of the files on the card; 1 to 31 characters of a-z, 0-9, _ and -. Cases show their colour buffer for so many
 * vertical blanks; 0: they do not. NULL without memory. */
struct console_pack *console_pack_create(const char *name, uint32_t show_blanks);
void console_pack_destroy(struct console_pack *pack); /* accepts NULL */

/* Can files on the card be called so? */
bool console_pack_name_is_good(const char *name);

struct console_pack_case {
    const char *name;
    const struct harness_case *test_case;
    const struct harness_program *program; /* that it was lowered to */
    const struct console_plan *plan;       /* of gates that let it pass */
    uint32_t flags; /* enum console_case_flag; VRAM_LIST, and what a case needs, are added where it is no self-test */
    bool is_self_test;                       /* its steps must be what `reference` says; before all others */
    struct console_register_range registers; /* read back after each operation */
};

enum harness_status console_pack_add(struct console_pack *pack, const struct console_pack_case *add,
                                     struct harness_error *error);

/* Cases so far, self-tests not counted. */
uint32_t console_pack_count(const struct console_pack *pack);

/* Those of them that show their colour buffer. */
uint32_t console_pack_shown(const struct console_pack *pack);

/* Bytes that its results take on the card at most. */
uint64_t console_pack_results(const struct console_pack *pack);

/* Appends the payload to *out. */
enum harness_status console_pack_finish(struct console_pack *pack, struct console_words *out,
                                        struct harness_error *error);

#endif
