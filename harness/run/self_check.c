#include "harness/run/self_check.h"

#include "harness/case/formats.h"
#include "harness/run/backends.h"

#include <stdio.h>
#include <stdlib.h>

struct harness_self_check {
    struct harness_checker *checkers[HARNESS_LINKED_BACKENDS];
    const char *names[HARNESS_LINKED_BACKENDS];
    struct harness_case *test_case;
    struct harness_program *program;
    struct harness_check_result result;
    char message[ORACLE_MESSAGE_SIZE + 64];
};

struct harness_self_check *harness_self_check_create(void)
{
    struct harness_self_check *const self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    const struct harness_check_options options = { .backend = { .instruction_sets = UINT32_MAX } };
    const struct pica_backend *linked[HARNESS_LINKED_BACKENDS];
    const size_t count = harness_linked_backends(linked, HARNESS_LINKED_BACKENDS);
    self->test_case = harness_case_create();
    self->program = harness_program_create();
    bool good = self->test_case != NULL && self->program != NULL;
    for (size_t i = 0; i < count && good; i++) {
        self->checkers[i] = harness_checker_create(linked[i], &options);
        self->names[i] = linked[i]->name;
        good = self->checkers[i] != NULL;
    }
    if (good)
        return self;
    harness_self_check_destroy(self);
    return NULL;
}

void harness_self_check_destroy(struct harness_self_check *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < HARNESS_LINKED_BACKENDS; i++)
        harness_checker_destroy(self->checkers[i]);
    harness_program_destroy(self->program);
    harness_case_destroy(self->test_case);
    free(self);
}

/* FNV-1a: decides what an input exercises, so that the same input always does the same. */
static uint64_t hash(const uint8_t *bytes, size_t size)
{
    uint64_t value = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++)
        value = (value ^ bytes[i]) * UINT64_C(0x100000001B3);
    return value ^ (value >> 32);
}

static enum harness_outcome explain(struct harness_self_check *self, size_t backend)
{
    (void)snprintf(self->message, sizeof self->message, "%s: %s does not hold\n%s", self->names[backend],
                   self->result.report.oracle, self->result.report.message);
    return HARNESS_DIVERGE;
}

enum harness_outcome harness_self_check_run(struct harness_self_check *self, const uint8_t *bytes, size_t size,
                                            const struct harness_check_choice *choice)
{
    struct harness_error error = { "" };
    const uint64_t seed = hash(bytes, size);
    const size_t backend = (size_t)(seed % HARNESS_LINKED_BACKENDS);
    self->message[0] = '\0';
    harness_case_reset(self->test_case);
    if (!harness_pcb_decode(self->test_case, bytes, size))
        return HARNESS_TROUBLE;
    harness_bound_case(self->test_case);
    if (harness_case_setup(self->test_case, self->program, &error) != HARNESS_OK)
        return HARNESS_TROUBLE;
    size_t applied = 0;
    for (size_t i = 0; i < choice->count && applied < choice->most; i++) {
        const size_t check = choice->first + (size_t)((seed / HARNESS_LINKED_BACKENDS + i) % choice->count);
        if (harness_check(self->checkers[backend], self->program, check, seed, &self->result) != HARNESS_OK)
            return HARNESS_TROUBLE;
        applied += self->result.places != 0;
        if (self->result.report.verdict >= ORACLE_DIVERGE)
            return explain(self, backend);
    }
    return HARNESS_AGREE;
}

const char *harness_self_check_message(const struct harness_self_check *self)
{
    return self->message;
}
