#include "harness/pages/pages.h"

static void add_text(struct harness_text *out, const char *text)
{
    for (const char *c = text; *c != '\0'; c++) {
        const size_t length = harness_hidden(c);
        switch (*c) {
        case '&': harness_text_add(out, "&amp;"); break;
        case '<': harness_text_add(out, "&lt;"); break;
        case '>': harness_text_add(out, "&gt;"); break;
        case '"': harness_text_add(out, "&quot;"); break;
        case '\'': harness_text_add(out, "&#39;"); break;
        default: harness_text_bytes(out, length != 0 ? "?" : c, 1);
        }
        c += length > 1 ? length - 1 : 0;
    }
}

void harness_xml_text(struct harness_text *out, const char *text)
{
    struct harness_text copy = { 0 };
    harness_text_add(&copy, text);
    if (copy.failed)
        out->failed = true;
    else if (copy.data != NULL) {
        harness_make_utf8(copy.data);
        add_text(out, copy.data);
    }
    harness_text_free(&copy);
}
