/* What a dying process said, and the function that this names. */
#include "harness/run/crash_place.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(crash_place, a_file_without_symbols_names_no_function)
{
    char name[HARNESS_CRASH_NAME] = "";
    uint32_t into = 0;
    cr_expect_not(harness_crash_function("/dev/null", 0, name, sizeof name, &into));
    cr_expect_not(harness_crash_function(PICAFUZZ_SOURCE_DIR "/README.md", 16, name, sizeof name, &into));
    cr_expect_not(harness_crash_function("/proc/self/exe", 0, name, sizeof name, &into));
}

Test(crash_place, the_handlers_line_gives_the_library_where_no_symbol_is_known)
{
    struct harness_crash_place place;
    harness_crash_find("words\npicafuzz: crashed at /no/such/libgpu.so+0x1a2b (draw+0x1b)\nmore\n", &place);
    cr_expect_str_eq(place.name, "libgpu.so");
    cr_expect_eq(place.offset, 0x1A2B);
    cr_expect_not(place.is_function);
}

Test(crash_place, what_names_no_function_stays_as_it_is)
{
    static const char *const lines[] = { "", "picafuzz: crashed at /no/such/libgpu.so+0x1a2b\nmore\n",
                                         "picafuzz: crashed at /no/such/libgpu.so+0x1a2b (draw+0x1b)\n" };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[128];
        (void)snprintf(text, sizeof text, "%s", lines[i]);
        harness_crash_complete(text, sizeof text);
        cr_expect_str_eq(text, lines[i]);
    }
}

Test(crash_place, a_sanitizers_first_frame_outside_its_runtime_counts)
{
    static const char report[] = "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x60 at pc 0x7f\n"
                                 "    #0 0x7f12 in __interceptor_memcpy (/usr/lib/libasan.so+0x12)\n"
                                 "    #1 0x7f4b in gpu_texture_fetch /src/texture.c:12:3\n"
                                 "    #2 0x7f5c in gpu_draw /src/draw.c:99\n";
    struct harness_crash_place place;
    harness_crash_find(report, &place);
    cr_expect_str_eq(place.name, "gpu_texture_fetch");
    cr_expect(place.is_function);
}

Test(crash_place, nothing_said_is_no_place)
{
    static const char *const texts[] = { "", "picafuzz: crashed at ", "picafuzz: crashed at \n", "    #0\n    #1 in\n",
                                         "picafuzz: crashed at (+0x1" };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct harness_crash_place place;
        harness_crash_find(texts[i], &place);
        cr_expect_str_eq(place.name, "", "%s", texts[i]);
    }
}
