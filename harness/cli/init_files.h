/* What `picafuzz init` writes into an emulator's tree; made of harness/cli/init by its embed.cmake. */
#ifndef HARNESS_CLI_INIT_FILES_H
#define HARNESS_CLI_INIT_FILES_H

#include <stdbool.h>
#include <stddef.h>

struct cli_init_file {
    const char *path; /* in that tree */
    const char *text; /* with @URL@, @SHA256@, @LANGUAGE@ and @PLUG_IN@ */
    bool is_script;
};

/* The last one has no path. */
extern const struct cli_init_file cli_init_files[];

#endif
