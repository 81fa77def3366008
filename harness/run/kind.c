#include "harness/run/kind.h"

enum pica_status harness_create_plain(const struct pica_backend *backend, const struct pica_options *options,
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
    static const struct harness_kind plain = { .create = harness_create_plain };
    const struct harness_special *const special = harness_special(backend);
    const struct harness_kind *const kind = special != NULL ? special->kind : harness_linked_kind(backend);
    return kind != NULL ? kind : &plain;
}

bool harness_is_recorded(const struct pica_backend *backend)
{
    return harness_kind(backend)->held != NULL;
}

enum pica_status harness_backend_create(const struct pica_backend *backend, const struct pica_options *options,
                                        void **out)
{
    const struct harness_kind *const kind = harness_kind(backend);
    struct pica_options told = *options;
    const uint32_t flag = told.capacity != 0 ? PICA_OPTION_CAPACITY : 0;
    told.flags = (told.flags & ~(uint32_t)PICA_OPTION_CAPACITY) | flag;
    enum pica_status status = kind->create(backend, &told, out);
    if (status == PICA_NOT_SUPPORTED && flag != 0) {
        told.flags &= ~flag;
        told.capacity = 0;
        status = kind->create(backend, &told, out);
    }
    return status;
}

void harness_backend_models(const struct pica_backend *backend, struct oracle_scope *out)
{
    oracle_scope_declared(backend->models, out);
    out->parts &= ~(uint32_t)PICA_PART_SCREENS;
    out->parts |= backend->scan_out != NULL ? (uint32_t)PICA_PART_SCREENS : 0u;
    const struct harness_special *const special = harness_special(backend);
    out->some_pages = special != NULL && special->some_pages;
}
