/* The files below a directory of corpus/, whatever their number. */
#ifndef TESTS_CORPUS_FILES_H
#define TESTS_CORPUS_FILES_H

#include <stddef.h>

struct corpus_file {
    char *path; /* from the root of the file system */
    char *area; /* directory that it lies in: "combiner", "captures" */
    char *name; /* without the extension: "six-stages" */
};

struct corpus_files {
    struct corpus_file *items; /* by path */
    size_t count;
    size_t capacity;
    size_t directories; /* below corpus/<directory> */
    size_t empty;       /* of these, without a case */
};

/* All files of corpus/<directory> and the directories in it that end with `extension`. A directory that does not exist
 * holds none. Fails the test if the host refuses. */
void corpus_files_find(struct corpus_files *files, const char *directory, const char *extension);
void corpus_files_free(struct corpus_files *files);

#endif
