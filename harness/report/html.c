#include "harness/report/html.h"

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

void harness_html_text(struct harness_text *out, const char *text)
{
    struct harness_text copy;
    harness_text_init(&copy);
    harness_text_add(&copy, text);
    if (copy.failed)
        out->failed = true;
    else if (copy.data != NULL) {
        harness_make_utf8(copy.data);
        add_text(out, copy.data);
    }
    harness_text_free(&copy);
}

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;margin:2em auto;max-width:72em;padding:0 1em;color:#1c1c1c;"
    "background:#fff}"
    "h1{font-size:1.35em}h2{font-size:1.05em;margin-top:1.8em}"
    "table{border-collapse:collapse}td,th{text-align:left;padding:.25em .9em .25em 0;vertical-align:top}"
    "th{font-weight:600;border-bottom:1px solid #ccc}tr+tr td{border-top:1px solid #eee}"
    "pre,code{font:13px/1.4 ui-monospace,monospace}pre{background:#f6f6f6;padding:.8em;white-space:pre-wrap;"
    "overflow-wrap:anywhere}"
    "figure{display:inline-block;margin:0 1.2em 1em 0}figcaption{color:#555}"
    "img{image-rendering:pixelated;border:1px solid #bbb;background:#888;max-width:100%}"
    ".bad{color:#a40000;font-weight:600}.known{color:#8a5a00}.fine{color:#2b6a2b}.soft{color:#666}"
    ".number{text-align:right}.facts th{border-bottom:0;white-space:nowrap}.facts tr+tr th{border-top:1px solid #eee}"
    ".rule{border-left:4px solid #9bb4d0;padding:.1em 1em;background:#f4f7fb}.rule table{margin:.6em 0}"
    "mark{background:#ffd9d4;color:inherit;display:block}"
    ".thumbnail{width:3em;height:3em;object-fit:contain;margin-right:.2em}h3{font-size:1em}"
    "@media(prefers-color-scheme:dark){body{color:#ddd;background:#161616}a{color:#8ab8ff}"
    "th{border-bottom-color:#555}tr+tr td,.facts tr+tr th{border-top-color:#333}pre{background:#222}"
    "figcaption,.soft{color:#a0a0a0}img{border-color:#555}.bad{color:#ff8a80}.known{color:#e0b060}"
    ".fine{color:#8fd08f}.rule{border-left-color:#4a6a90;background:#1d2530}mark{background:#5a2420}}";

void harness_html_begin(struct harness_text *out, const char *title, const char *home)
{
    harness_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                          "<meta name=\"color-scheme\" content=\"light dark\"><title>");
    harness_html_text(out, title);
    harness_text_format(out, "</title>\n<style>%s</style></head><body>\n", style);
    if (home != NULL)
        harness_text_format(out, "<p><a href=\"%s\">all findings</a></p>\n", home);
    harness_text_add(out, "<h1>");
    harness_html_text(out, title);
    harness_text_add(out, "</h1>\n");
}

void harness_html_end(struct harness_text *out)
{
    harness_text_add(out, "</body></html>\n");
}
