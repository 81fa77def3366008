/*
 * The property: any bytes may be imported: captures of both kinds, and a dump of a command list. What is read is a
 * valid case, and its text is read as the same one.
 *
 * An input that begins as a capture is the file itself. Otherwise its first byte says which kind of file the rest is,
 * and the fixed beginning of that kind is put before it, since no engine would guess that.
 */
#include "harness/case/formats.h"
#include "harness/targets/files/saved.h"
#include "harness/targets/files/whole_case.h"

#include <string.h>

enum {
    KINDS = 4
};

static const char *const beginnings[KINDS] = { "", "PCAP3DS1", "PCAP3DS2", "CiTr" };

const char saved_beginning[] = "";

static enum harness_status import(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_case *const out = whole_case();
    const uint8_t *const data = (const uint8_t *)bytes;
    struct harness_text warnings = { 0 };
    enum harness_status status = HARNESS_NO_MEMORY;
    if (out != NULL && size >= 8 && memcmp(bytes, "PCAP3DS", 7) == 0)
        status = harness_picacap_read(out, data, size, saved_name, &warnings, error);
    else if (out != NULL && size >= 4 && memcmp(bytes, "CiTr", 4) == 0)
        status = harness_ctf_read(out, data, size, saved_name, &warnings, error);
    else if (out != NULL)
        status = harness_raw_list_read(out, data, size, saved_name, error);
    harness_text_free(&warnings);
    if (status == HARNESS_OK)
        whole_case_check();
    return status;
}

enum harness_status saved_read(const char *bytes, size_t size, struct harness_error *error)
{
    struct harness_text whole = { 0 };
    enum harness_status status = HARNESS_NO_MEMORY;
    for (size_t i = 1; i < KINDS; i++)
        if (size >= strlen(beginnings[i]) && memcmp(bytes, beginnings[i], strlen(beginnings[i])) == 0)
            return import(bytes, size, error);
    if (size == 0)
        return HARNESS_OK;
    harness_text_add(&whole, beginnings[(unsigned char)bytes[0] % KINDS]);
    harness_text_bytes(&whole, bytes + 1, size - 1);
    if (!whole.failed)
        status = import(harness_text_string(&whole), whole.size, error);
    harness_text_free(&whole);
    return status;
}
