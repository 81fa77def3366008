#include "harness/cli/screens.h"

#include "harness/case/formats.h"
#include "harness/cli/cli.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_png(const char *name)
{
    const size_t length = strlen(name);
    return length > 4 && strcasecmp(name + length - 4, ".png") == 0;
}

bool cli_has_screens(const char *directory)
{
    bool found = false;
    DIR *const open = opendir(directory);
    for (const struct dirent *entry; open != NULL && !found && (entry = readdir(open)) != NULL;)
        found = is_png(entry->d_name);
    if (open != NULL)
        (void)closedir(open);
    return found;
}

/* A file that is no PNG, is cut or cannot be read gets a line on stderr, and the others count. */
static enum harness_status add_file(struct console_screenshots *screenshots, const char *directory, const char *name,
                                    uint32_t counts[3], struct harness_error *error)
{
    char path[4096];
    uint8_t *bytes = NULL;
    size_t size = 0;
    enum console_screenshot found = CONSOLE_SCREENSHOT_NOTHING;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: the path is too long", directory);
    enum harness_status status = harness_file_read(path, &bytes, &size, error);
    if (status == HARNESS_OK)
        status = console_screenshots_add(screenshots, path, bytes, size, &found, error);
    free(bytes);
    counts[found] += status == HARNESS_OK;
    if (status == HARNESS_OK || status == HARNESS_NO_MEMORY)
        return status;
    cli_print(stderr, "%s\n", error->message);
    return HARNESS_OK;
}

static void say(const struct console_screenshots *screenshots, const char *directory, const uint32_t counts[3])
{
    uint32_t shown, seen;
    console_screenshots_count(screenshots, &shown, &seen);
    cli_print(stderr,
              "%s: %" PRIu32 " of %" PRIu32 " pictures are on %" PRIu32 " screenshots; %" PRIu32
              " others show none of this program\n",
              directory, seen, shown, counts[CONSOLE_SCREENSHOT_TAKEN], counts[CONSOLE_SCREENSHOT_NOTHING]);
    if (counts[CONSOLE_SCREENSHOT_BLURRED] != 0)
        cli_print(stderr,
                  "%s: %" PRIu32 " screenshots are not taken: their pixels are not those of the screen. Set the "
                  "emulator's scale to a whole number, and its filters off\n",
                  directory, counts[CONSOLE_SCREENSHOT_BLURRED]);
}

enum harness_status cli_read_screens(const char *directory, const struct console_view *view,
                                     struct console_screenshots **out, struct harness_error *error)
{
    uint32_t counts[3] = { 0 };
    *out = NULL;
    DIR *const open = opendir(directory);
    if (open == NULL)
        return harness_fail(error, HARNESS_BAD_INPUT, "%s: %s", directory, strerror(errno));
    enum harness_status status = console_screenshots_create(view, out, error);
    for (const struct dirent *entry; status == HARNESS_OK && (entry = readdir(open)) != NULL;)
        if (is_png(entry->d_name))
            status = add_file(*out, directory, entry->d_name, counts, error);
    (void)closedir(open);
    if (status == HARNESS_OK) {
        say(*out, directory, counts);
        return HARNESS_OK;
    }
    console_screenshots_destroy(*out);
    *out = NULL;
    return status;
}
