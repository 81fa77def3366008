/* Writes the scenes as case files, to look at: `export_scenes DIRECTORY`, then `picafuzz run DIRECTORY`. */
#include "bench/scenes.h"
#include "harness/case/formats.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: export_scenes DIRECTORY\n");
        return 2;
    }
    for (int scene = 0; scene < BENCH_SCENES; scene++) {
        char path[4096];
        struct harness_error error = { "out of memory" };
        struct harness_case *const test_case = harness_case_create();
        const struct bench_plan *const plan = bench_scene_plan((enum bench_scene)scene);
        (void)snprintf(path, sizeof path, "%s/scene-%s.pcase", argv[1], plan->name);
        const bool good = test_case != NULL && bench_scene_build(test_case, (enum bench_scene)scene, &plan->size) &&
                          harness_case_save_file(test_case, path, &error) == HARNESS_OK;
        harness_case_destroy(test_case);
        if (!good) {
            fprintf(stderr, "export_scenes: %s\n", error.message);
            return 4;
        }
        puts(path);
    }
    return 0;
}
