/* A backend with one planted bug as a plug-in. Defined by the build: BUG_NAME, and BUG_IN_reference or BUG_IN_fast. */
#include "pica/backend.h"
#ifdef BUG_IN_reference
#include "reference/reference.h"
#else
#include "fast/fast.h"
#endif

__attribute__((visibility("default"))) const struct pica_backend *pica_backend_entry(void);

const struct pica_backend *pica_backend_entry(void)
{
    static struct pica_backend backend;
#ifdef BUG_IN_reference
    backend = *ref_backend();
#else
    backend = *fast_backend();
#endif
    backend.name = BUG_NAME;
    backend.summary = "a backend with one planted bug";
    return &backend;
}
