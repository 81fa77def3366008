/* A lowered case as one piece of shared memory. */
#include "harness/trial/probe_worker.h"
#include "harness/run/shared.h"

#include <string.h>

size_t harness_probe_size(const struct harness_program *program)
{
    size_t size = harness_packed_size(sizeof(struct probe_shared)) + harness_packed_setup_size(&program->setup) +
                  harness_packed_size(program->count * sizeof *program->operations) +
                  harness_packed_size(program->count * sizeof *program->origins);
    for (uint32_t i = 0; i < program->count; i++)
        if (program->operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            size += harness_packed_size(program->operations[i].size);
    return size;
}

bool harness_probe_pack(struct probe_shared *shared, const struct harness_program *program)
{
    struct harness_packer packer = harness_packer_behind(shared, shared->size, sizeof *shared);
    shared->program = *program;
    (void)harness_pack_setup(&packer, &program->setup, &shared->program.setup);
    struct pica_operation *const operations =
        harness_pack(&packer, program->operations, program->count * sizeof *program->operations);
    for (uint32_t i = 0; i < program->count && !packer.failed; i++)
        if (operations[i].kind == PICA_OPERATION_LOAD_MEMORY)
            operations[i].data = harness_pack(&packer, operations[i].data, operations[i].size);
    shared->program.operations = operations;
    shared->program.origins = harness_pack(&packer, program->origins, program->count * sizeof *program->origins);
    memset(&shared->program.arena, 0, sizeof shared->program.arena);
    return !packer.failed;
}
