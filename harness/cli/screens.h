/* The directory of an emulator's screenshots (harness/console/screenshots.h). */
#ifndef HARNESS_CLI_SCREENS_H
#define HARNESS_CLI_SCREENS_H

#include "harness/console/screenshots.h"

enum {
    CLI_SCREEN_BLANKS = 30 /* how long a picture stays, unless told otherwise: half a second */
};

/* Does the directory hold PNG files? */
bool cli_has_screens(const char *directory);

/* Reads all PNG files in it. A line on stderr for each that cannot be read, and one with the counts. On failure *out is
 * NULL. */
enum harness_status cli_read_screens(const char *directory, const struct console_view *view,
                                     struct console_screenshots **out, struct harness_error *error);

#endif
