#include "harness/console/packs/score.h"

#include "harness/vectors/vectors.h"

static enum harness_status add_vectors(struct console_asking *asking, const struct vectors *vectors,
                                       struct harness_error *error)
{
    struct harness_surfaces surfaces;
    struct harness_case *const test_case = harness_case_create();
    enum harness_status status = test_case != NULL ? HARNESS_OK : harness_fail_memory(error);
    for (size_t i = 0; status == HARNESS_OK && i < vectors_count(vectors); i++) {
        struct console_answer answer = { .taken = false };
        const char *const name = vectors_about(vectors, i)->name;
        status = vectors_load(vectors, i, test_case, &surfaces, error);
        if (status == HARNESS_OK)
            status = console_export_ask(asking->export, name, test_case, &answer, error);
        if (status != HARNESS_OK)
            break;
        console_asking_note(asking, name, &answer);
    }
    harness_case_destroy(test_case);
    return status;
}

enum harness_status console_score_add(struct console_asking *asking, struct harness_error *error)
{
    size_t size = 0;
    struct vectors *vectors = NULL;
    const uint8_t *const bytes = vectors_builtin(&size);
    enum harness_status status = vectors_parse("the pack in this program", bytes, size, &vectors, error);
    if (status == HARNESS_OK)
        status = console_export_move(asking->export, error);
    if (status == HARNESS_OK)
        status = add_vectors(asking, vectors, error);
    vectors_close(vectors);
    return status;
}
