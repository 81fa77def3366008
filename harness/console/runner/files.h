/* Files on the SD card: fs:USER, one directory, two files. */
#ifndef HARNESS_CONSOLE_RUNNER_FILES_H
#define HARNESS_CONSOLE_RUNNER_FILES_H

#include <stdbool.h>
#include <stdint.h>

struct files {
    uint32_t session;
    uint32_t archive[2];
};

/* Makes the directory /3ds/picafuzz, too. */
int32_t files_start(struct files *files, uint32_t srv);

/* /3ds/picafuzz/NAME + suffix, to read and write, made if it is not there. */
int32_t files_open(const struct files *files, const char *name, const char *suffix, uint32_t *file);

/* Fewer bytes than asked for is the file's end. */
int32_t files_read(uint32_t file, uint32_t offset, void *bytes, uint32_t size, uint32_t *count);
int32_t files_write(uint32_t file, uint32_t offset, const void *bytes, uint32_t size); /* and flushes */
int32_t files_set_size(uint32_t file, uint32_t size);
void files_close(uint32_t file);
void files_stop(const struct files *files); /* all files are closed */

#endif
