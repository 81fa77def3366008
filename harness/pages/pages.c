#include "harness/pages/pages.h"

#include "harness/case/formats.h"

#include <stdint.h>
#include <string.h>

/* The files as the assembler copies them in. */
#define FILE_BYTES(name, file)                                                   \
    __asm__(".section .rodata\n" name "_begin:\n"                                \
            ".incbin \"" PAGES_DIRECTORY "/" file "\"\n" name "_end:\n.byte 0\n" \
            ".previous\n")

FILE_BYTES("pages_base", "base.css");
FILE_BYTES("pages_style", "page.css");
FILE_BYTES("pages_script", "page.js");

extern const char pages_base_begin[], pages_base_end[], pages_style_begin[], pages_script_begin[];

const char *harness_page_style(size_t *size)
{
    *size = (size_t)((uintptr_t)pages_base_end - (uintptr_t)pages_base_begin);
    return pages_base_begin;
}

/* Inside of a script element, where "</script>" in a name would end it. Tabs and newlines stand between tokens only. */
static void add_json(struct harness_text *out, const char *json)
{
    while (*json != '\0') {
        const size_t plain = strcspn(json, "<\t\n");
        harness_text_bytes(out, json, plain);
        json += plain;
        if (*json == '<')
            harness_text_add(out, "\\u003c");
        json += *json != '\0';
    }
}

enum harness_status harness_page_write(const char *path, const char *view, const struct harness_text *json,
                                       struct harness_error *error)
{
    struct harness_text page = { 0 };
    harness_text_add(&page, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                            "<meta name=\"color-scheme\" content=\"light dark\"><title>picafuzz</title>\n<style>\n");
    harness_text_add(&page, pages_base_begin);
    harness_text_add(&page, pages_style_begin);
    harness_text_format(
        &page,
        "</style></head>\n<body data-view=\"%s\"><noscript>This page needs its script, which is in it and "
        "loads nothing from elsewhere.</noscript>\n<script type=\"application/json\" id=\"facts\">\n",
        view);
    add_json(&page, harness_text_string(json));
    harness_text_add(&page, "</script>\n<script>\n");
    harness_text_add(&page, pages_script_begin);
    harness_text_add(&page, "</script>\n</body></html>\n");
    const enum harness_status status = page.failed || json->failed
                                           ? harness_fail_memory(error)
                                           : harness_file_write(path, page.data, page.size, error);
    harness_text_free(&page);
    return status;
}
