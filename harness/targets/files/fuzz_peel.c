/* The property: any bytes may be read as the causes that a hunt avoids (docs/formats/peel.md). */
#include "harness/peel/peel.h"
#include "harness/targets/files/saved.h"

const char saved_beginning[] = "picafuzz peel 1\n";

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    static struct harness_peel peel;
    return harness_peel_parse(bytes, size, saved_name, &peel, error);
}
