/* What the screens show, as PNG. */
#include "tests/console_second/parts.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

static bool write_png(const char *name, uint32_t columns, const uint8_t *rgb)
{
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = columns;
    image.height = PICA_SCREEN_LINES;
    image.format = PNG_FORMAT_RGB;
    return png_image_write_to_file(&image, name, 0, rgb, 0, NULL) != 0;
}

void second_screens(struct second_machine *m)
{
    m->gsp.pictured = true;
    for (uint32_t screen = 0; screen < 2 && m->options.screens != NULL; screen++) {
        const uint32_t columns = screen == 0 ? PICA_TOP_COLUMNS : PICA_BOTTOM_COLUMNS;
        const size_t bytes = (size_t)columns * PICA_SCREEN_LINES * 3;
        char name[1024];
        snprintf(name, sizeof name, "%s-%s.png", m->options.screens, screen == 0 ? "top" : "bottom");
        uint8_t *const rgb = malloc(bytes);
        if (rgb == NULL || !second_gpu_picture(m, screen, rgb, bytes) || !write_png(name, columns, rgb))
            second_finish(m, SECOND_TROUBLE, "%s cannot be written", name);
        free(rgb);
    }
}
