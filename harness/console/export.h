/*
 * Cases for a console: gates, payload and program together.
 *
 *     console_export_create -> console_export_ask for each case -> console_export_write -> console_export_destroy
 *
 * Cases that may hang (--may-hang) go into files of their own, one for each suspected event: NAME-hang1 and so on.
 */
#ifndef HARNESS_CONSOLE_EXPORT_H
#define HARNESS_CONSOLE_EXPORT_H

#include "harness/case/case.h"
#include "harness/case/text.h"

#include <stdbool.h>

/* The cases that a console must get right before anything else (harness/console/self_tests); name NULL ends it. */
struct console_self_test {
    const char *name, *text;
    size_t size;
};
extern const struct console_self_test console_self_tests[];

enum {
    CONSOLE_MOST_FILES = 128 /* of one export */
};

struct console_export;

/* `name`: of the files, console_pack_name_is_good. On failure *out is NULL. */
enum harness_status console_export_create(const char *name, bool may_hang, struct console_export **out,
                                          struct harness_error *error);
void console_export_destroy(struct console_export *export); /* accepts NULL */

/* Only cases whose name begins with one of these words, with commas between them, from now on; others are refused, and
 * say so. NULL: all. The text is borrowed. */
void console_export_only(struct console_export *export, const char *prefixes);
bool console_export_wants(const struct console_export *export, const char *name);

/* For an emulator: from now on cases may have any number of events that may hang, and lie in one file with the others.
 * Whoever starts it again loses nothing by a hang. */
void console_export_together(struct console_export *export);

/* From now on cases that do not lie in VRAM are moved there (move.h). HARNESS_HOST without memory. */
enum harness_status console_export_move(struct console_export *export, struct harness_error *error);

/* Before any case: each shows its colour buffer on the upper screen, for so many vertical blanks. */
enum harness_status console_export_show(struct console_export *export, uint32_t blanks, struct harness_error *error);

struct console_answer {
    bool taken;
    struct harness_text reasons; /* why not, a line each; the caller frees it */
    const char *suspect;         /* taken, but suspected to hang by this; or NULL. Static. */
    const char *open;            /* taken, but by this event its result is open; or NULL. Static. */
};

/* Asks the gates, and takes the case into a file if they let it pass. */
enum harness_status console_export_ask(struct console_export *export, const char *name,
                                       const struct harness_case *test_case, struct console_answer *out,
                                       struct harness_error *error);

/* Who asks about many cases in turn: who is told of each answer, and how many cases were asked about and taken so
 * far. */
struct console_asking {
    struct console_export *export;
    void (*observer)(void *user, const char *name, const struct console_answer *answer);
    void *user;
    size_t taken, asked;
};

/* Tells and counts the answer about a case, and frees it. */
void console_asking_note(struct console_asking *asking, const char *name, struct console_answer *answer);

/* The same as console_export_ask for a case after whose operations `count` internal registers from id `first` on are
 * read back. */
enum harness_status console_export_ask_registers(struct console_export *export, const char *name,
                                                 const struct harness_case *test_case, uint32_t first, uint32_t count,
                                                 struct console_answer *out, struct harness_error *error);

struct console_file {
    char name[40];       /* "cases.3dsx" */
    const char *suspect; /* of all cases in it; NULL: none */
    uint32_t cases;
    uint32_t shown; /* of them, that show their colour buffer */
    size_t bytes;
    uint64_t results; /* bytes on the card at most */
};

/* Writes the files that hold a case into the directory; `files` has room for CONSOLE_MOST_FILES. HARNESS_BAD_INPUT if
 * this build has no program for a console. */
enum harness_status console_export_write(struct console_export *export, const char *directory,
                                         struct console_file *files, size_t *count, struct harness_error *error);

/* Appends the .3dsx of the cases without suspicion, made of `program`: for tests. */
enum harness_status console_export_make(struct console_export *export, const uint8_t *program, size_t program_size,
                                        struct harness_text *out, struct harness_error *error);

#endif
