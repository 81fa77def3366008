/*
 * The reference as a plug-in that is wrong in the first process that makes an instance, and right in all others: the
 * environment variable PICAFUZZ_FLAKY names a file that the first one makes. PICAFUZZ_FLAKY_READS: at every second read
 * only.
 */
#include "pica/backend.h"
#include "reference/reference.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_first, is_wrong;

static enum pica_status read_memory(void *instance, uint32_t address, uint8_t *out, size_t size)
{
    const enum pica_status status = ref_backend()->read_memory(instance, address, out, size);
    is_wrong = getenv("PICAFUZZ_FLAKY_READS") == NULL || !is_wrong;
    if (size != 0 && is_first && is_wrong)
        out[0] ^= 1u;
    return status;
}

static enum pica_status create(const struct pica_options *options, void **instance)
{
    const char *const path = getenv("PICAFUZZ_FLAKY");
    const int file = path != NULL ? open(path, O_CREAT | O_EXCL | O_WRONLY, 0600) : -1;
    is_first = is_first || file >= 0;
    if (file >= 0)
        (void)close(file);
    return ref_backend()->create(options, instance);
}

const struct pica_backend *pica_backend_entry(void);

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
    static struct pica_models models;
    models.parts = PICA_PART_MEMORY;
    models.budgets = PICA_BUDGETS_ALL;
    models.float24 = 1;
    models.size = sizeof models;
    backend = (struct pica_backend){ .abi = PICA_BACKEND_ABI,
                                     .size = sizeof backend,
                                     .name = "flaky",
                                     .summary = "wrong once",
                                     .create = create,
                                     .destroy = ref_backend()->destroy,
                                     .load = ref_backend()->load,
                                     .run = ref_backend()->run,
                                     .read_memory = read_memory,
                                     .models = &models };
    return &backend;
}
