#include "harness/console/packs/captures.h"

#include "harness/case/formats.h"
#include "harness/run/load.h"

static enum harness_status ask(struct console_export *export, const struct console_asked_text *file,
                               struct harness_case *test_case, struct console_answer *answer,
                               struct harness_error *error)
{
    enum harness_status status =
        harness_picacap_read(test_case, (const uint8_t *)file->text, file->size, file->name, NULL, error);
    if (status == HARNESS_OK)
        status = harness_tighten_windows(test_case, NULL, error);
    return status == HARNESS_OK ? console_export_ask(export, file->name, test_case, answer, error) : status;
}

enum harness_status console_captures_add(struct console_asking *asking, struct harness_error *error)
{
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status =
        test_case != NULL ? console_export_move(asking->export, error) : harness_fail_memory(error);
    for (const struct console_asked_text *file = console_capture_files; status == HARNESS_OK && file->name != NULL;
         file++) {
        struct console_answer answer = { .taken = false };
        status = ask(asking->export, file, test_case, &answer, error);
        if (status != HARNESS_OK)
            break;
        console_asking_note(asking, file->name, &answer);
    }
    harness_case_destroy(test_case);
    return status;
}
