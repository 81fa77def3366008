/*
 * The pack `numbers`: arithmetic over all inputs. So far blending: for each of its operations a case whose picture
 * holds the result for all 65,536 pairs of source and destination bytes, so that what a console computes is read off
 * it.
 *
 * A byte at 0x18000000 + 256 * source + destination begins as `destination` and is blended with `source`, in all four
 * channels alike.
 */
#ifndef HARNESS_CONSOLE_PACKS_NUMBERS_H
#define HARNESS_CONSOLE_PACKS_NUMBERS_H

#include "harness/console/packs/splits.h"

enum {
    CONSOLE_NUMBERS = 8, /* operations */
    CONSOLE_PAIRS = 65536,
    CONSOLE_WRONG_SHOWN = 8
};

enum harness_status console_numbers_add(struct console_export *export, console_pack_observer observer, void *user,
                                        size_t *taken, size_t *asked, struct harness_error *error);

struct console_wrong_pair {
    uint8_t source, destination, expected, computed;
};

struct console_numbers_row {
    const char *name, *rule; /* static */
    bool is_in_file;
    enum console_outcome outcome;
    enum console_verdict verdict;
    uint32_t wrong; /* pairs */
    struct console_wrong_pair shown[CONSOLE_WRONG_SHOWN];
};

struct console_numbers_table {
    struct console_numbers_row rows[CONSOLE_NUMBERS];
};

/* Notes what the import said of a case. False: no case of this pack. Start from zeros. */
bool console_numbers_note(struct console_numbers_table *table, const struct console_imported *imported);

/* Judges what was noted by recorded results. */
enum harness_status console_numbers_judge(struct console_numbers_table *table, const char *recorded_path,
                                          struct harness_error *error);

#endif
