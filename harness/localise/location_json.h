/* Where two backends first differ, as JSON. */
#ifndef HARNESS_LOCALISE_LOCATION_JSON_H
#define HARNESS_LOCALISE_LOCATION_JSON_H

#include "harness/localise/localise.h"

#include <cjson/cJSON.h>

/* A new object, or NULL without memory; docs/reading-a-finding.md names its members. */
cJSON *harness_location_json(const struct harness_location *location);

#endif
