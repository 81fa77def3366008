#include "harness/targets/files/saved.h"

#include "harness/case/text.h"
#include "harness/targets/target.h"

#include <string.h>

const char saved_name[] = "input";

/* Global, since the engines' interface has no parameter for this state. */
static struct harness_text file;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    if (saved_begin != NULL)
        saved_begin();
    return 0;
}

static void check_message(const char *message)
{
    if (message[0] == '\0')
        target_fails("a file is refused without a word", NULL);
    if (strncmp(message, saved_name, strlen(saved_name)) != 0 && strncmp(message, "/proc/self/fd/", 14) != 0)
        target_fails("which file is refused, it does not say", message);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct harness_error error = { "" };
    harness_text_clear(&file);
    if (size == 0 || memmem(data, size, saved_beginning, strlen(saved_beginning)) == NULL)
        harness_text_add(&file, saved_beginning);
    harness_text_bytes(&file, data, size);
    if (!file.failed && saved_read(harness_text_string(&file), file.size, &error) == HARNESS_BAD_INPUT)
        check_message(error.message);
    return 0;
}
