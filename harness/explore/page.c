/* The page's own files, as the assembler copies them in. */
#include "harness/explore/explorer.h"

#include "harness/case/formats.h"
#include "harness/pages/pages.h"

#include <stdio.h>

#define FILE_BYTES(name, path)                               \
    __asm__(".section .rodata\n" name "_begin:\n"            \
            ".incbin \"" path "\"\n" name "_end:\n.byte 0\n" \
            ".previous\n")

FILE_BYTES("explore_index", PAGE_DIRECTORY "/index.html");
FILE_BYTES("explore_style", PAGE_DIRECTORY "/page.css");
FILE_BYTES("explore_page", PAGE_DIRECTORY "/page.js");

extern const uint8_t explore_index_begin[], explore_index_end[], explore_style_begin[], explore_style_end[],
    explore_page_begin[], explore_page_end[];

enum harness_status explore_write_page(const char *directory, uint64_t *total, struct harness_error *error)
{
    size_t base_size = 0;
    const uint8_t *const base = (const uint8_t *)harness_page_style(&base_size);
    const struct {
        const char *name;
        const uint8_t *begin, *end;
    } files[] = { { "index.html", explore_index_begin, explore_index_end },
                  { "base.css", base, base + base_size },
                  { "page.css", explore_style_begin, explore_style_end },
                  { "page.js", explore_page_begin, explore_page_end } };
    enum harness_status status = HARNESS_OK;
    for (size_t i = 0; status == HARNESS_OK && i < sizeof files / sizeof files[0]; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%.4000s/%s", directory, files[i].name);
        const size_t size = (size_t)(files[i].end - files[i].begin);
        status = harness_file_write_lazily(path, files[i].begin, size, error);
        *total += size;
    }
    return status;
}
