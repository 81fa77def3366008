#include "harness/cli/sarif_list.h"

#include "harness/case/grow.h"
#include "harness/cli/cli.h"

#include <stdlib.h>
#include <string.h>

/* NULL stays NULL. */
static const char *copy(struct cli_sarif *list, const char *text)
{
    char *const copied = text != NULL ? strdup(text) : NULL;
    list->failed = list->failed || (text != NULL && copied == NULL);
    return copied;
}

void cli_sarif_add(struct cli_sarif *list, const struct harness_sarif_result *result)
{
    struct harness_sarif_result *const items = harness_grow(list->items, list->count, sizeof *items);
    list->failed = list->failed || items == NULL;
    if (items == NULL)
        return;
    list->items = items;
    list->items[list->count++] = (struct harness_sarif_result){ .rule = copy(list, result->rule),
                                                                .message = copy(list, result->message),
                                                                .path = copy(list, result->path),
                                                                .accepted = copy(list, result->accepted) };
}

static void destroy(struct cli_sarif *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((char *)list->items[i].rule);
        free((char *)list->items[i].message);
        free((char *)list->items[i].path);
        free((char *)list->items[i].accepted);
    }
    free(list->items);
    memset(list, 0, sizeof *list);
}

int cli_sarif_write(struct cli_sarif *list, const char *path)
{
    struct harness_error error = { "" };
    const enum harness_status status =
        list->failed ? harness_fail_memory(&error) : harness_sarif_write(path, list->items, list->count, &error);
    destroy(list);
    return status == HARNESS_OK ? CLI_OK : cli_fail(status, &error);
}
