#include "harness/run/kind.h"

static enum pica_status create_plain(const struct pica_backend *backend, const struct pica_options *options,
                                     void **instance)
{
    return backend->create(options, instance);
}

enum pica_status harness_special_create(const struct pica_options *options, void **instance)
{
    (void)options;
    *instance = NULL;
    return PICA_NOT_SUPPORTED;
}

const struct harness_special *harness_special(const struct pica_backend *backend)
{
    return backend->create == harness_special_create ? (const struct harness_special *)backend : NULL;
}

const struct harness_kind *harness_kind(const struct pica_backend *backend)
{
    static const struct harness_kind plain = { .create = create_plain };
    const struct harness_special *const special = harness_special(backend);
    return special != NULL ? special->kind : &plain;
}
