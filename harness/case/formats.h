/* The files that hold cases: .pcase (text), .pcb (binary), .picacap and .ctf (captures), raw command lists. */
#ifndef HARNESS_FORMATS_H
#define HARNESS_FORMATS_H

#include "harness/case/case.h"
#include "harness/case/text.h"

/* ------------------------------------------------------------------------------ .pcase: docs/formats/pcase.md */

/* Appends the text of a valid case; read(write(c)) equals c, comments included. */
enum harness_status harness_pcase_write(const struct harness_case *test_case, struct harness_text *out,
                                        struct harness_error *error);

/* `name` is what messages call the file: "name:line:column: expected X, found Y". On failure `out` is empty. */
enum harness_status harness_pcase_read(struct harness_case *out, const char *text, size_t size, const char *name,
                                       struct harness_error *error);

/* Appends the text of one list, indented by four spaces a level, as it stands between the braces of a `run`. Code is
 * disassembled with the operand descriptors that the list itself uploads. */
void harness_pcase_write_list(const struct harness_list *list, uint32_t indent, struct harness_text *out);

/* The same for the commands alone, without the tail; `written` (may be NULL) is called after each of them. */
void harness_pcase_write_commands(const struct harness_list *list, uint32_t indent, struct harness_text *out,
                                  void (*written)(void *user, uint32_t index), void *user);

/* Appends "{ depth_test = 1, depth_function = less }" or "= 0x1F41" (with a leading space): a register's value. */
void harness_pcase_write_value(uint32_t register_id, uint32_t value, struct harness_text *out);

/* ------------------------------------------------------------------------------------------------------ C source */

/* Appends one C99 file that replays the case by hooks of an emulator; `name` is what its head calls it. */
enum harness_status harness_c_write(const struct harness_case *test_case, const char *name, struct harness_text *out,
                                    struct harness_error *error);

/* ---------------------------------------------------------------------------------- .pcb: docs/formats/pcb.md */

/* Total: every byte string is a valid case. False only if the host refuses memory; `out` is empty then. */
bool harness_pcb_decode(struct harness_case *out, const uint8_t *bytes, size_t size);

/*
 * Writes at most `capacity` bytes and always sets *size to the bytes that the whole encoding needs. HARNESS_TOO_LARGE
 * if that is more than `capacity`, or if the case is beyond the HARNESS_PCB_MAX_* limits (*size = 0 then).
 * Comments are dropped; otherwise decode(encode(c)) equals c for every valid case.
 */
enum harness_status harness_pcb_encode(const struct harness_case *test_case, uint8_t *out, size_t capacity,
                                       size_t *size, struct harness_error *error);

/* ---------------------------------------------------------------- captures: spec 90, docs/formats/picacap.md */

/*
 * Imported cases have wide windows: all of VRAM and FCRAM. Run them on a backend with PICA_OPTION_TRACK_READS, then
 * call harness_import_windows. `warnings` (may be NULL) gets one line for each thing that was left out.
 */
enum harness_status harness_picacap_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                         struct harness_text *warnings, struct harness_error *error);
enum harness_status harness_ctf_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                     struct harness_text *warnings, struct harness_error *error);

/* A dump of one command list, which is run from the end of FCRAM. `size` must be a multiple of 4. */
enum harness_status harness_raw_list_read(struct harness_case *out, const uint8_t *bytes, size_t size, const char *name,
                                          struct harness_error *error);

/* Reads the words of a part of the state as a debugger dumps them (docs/formats/registers.md) into `state`, where the
 * part counts as given then. Elements that the file does not name stay as they are. */
enum harness_status harness_state_words_read(struct harness_state *state, uint32_t part, const uint8_t *bytes,
                                             size_t size, const char *name, struct harness_error *error);

/* CAP-13: windows over all of VRAM and all of FCRAM. */
void harness_import_wide_windows(struct harness_case *test_case);

/* Pages of one window of the case that a run touched: bit p % 64 of bitmap[p / 64], as touched_pages reports them. */
struct harness_touched {
    const uint64_t *read; /* NULL = none */
    const uint64_t *written;
    size_t words; /* length of each */
};

/*
 * CAP-13: replaces the windows by the pages of every load, list, fill, transfer and copy of the case and the pages in
 * `touched` (one element for each present window, or NULL), joined down to 16 windows.
 */
enum harness_status harness_import_windows(struct harness_case *test_case, const struct harness_touched *touched,
                                           struct harness_text *warnings, struct harness_error *error);

/* ------------------------------------------------------------------------------------------------------- files */

enum harness_format {
    HARNESS_FORMAT_PCASE = 0,
    HARNESS_FORMAT_PCB = 1,
    HARNESS_FORMAT_PICACAP = 2,
    HARNESS_FORMAT_CTF = 3,
    HARNESS_FORMAT_RAW_LIST = 4
};

/* By content where the format has a mark (captures, pcase), else by extension (.pcb, .bin = raw list); anything else
 * is a .pcb, which every byte string is. */
enum harness_format harness_format_detect(const char *path, const uint8_t *bytes, size_t size);

/* Does the path end in this extension (".pcb"), behind at least one other character? */
bool harness_has_extension(const char *path, const char *extension);

/* Files larger than this are refused. */
static const size_t HARNESS_MAX_FILE = (size_t)1 << 28;

/* Reads a whole file into malloc'ed memory that the caller frees; a 0 byte follows the contents. */
enum harness_status harness_file_read(const char *path, uint8_t **bytes, size_t *size, struct harness_error *error);

/* Is something there that is no file, and must not be replaced by one: a device (/dev/null, /dev/stdout), a FIFO, a
 * directory? */
bool harness_file_is_special(const char *path);

/* Writes a temporary file beside `path` (temporary.h), flushes it to the disk, renames it; of a symbolic link, beside
 * what it leads to. What is special is written in place, but a FIFO that nobody reads is replaced. */
enum harness_status harness_file_write(const char *path, const void *bytes, size_t size, struct harness_error *error);

/* The same of a text, which it frees in any case. HARNESS_NO_MEMORY if the text has failed. */
enum harness_status harness_file_write_text(const char *path, struct harness_text *text, struct harness_error *error);

/* Makes a directory, not those above it; an existing one is fine. */
enum harness_status harness_directory_make(const char *path, struct harness_error *error);

/* As harness_file_write, but does not wait for the disk: for thousands of files that need not survive a power cut. */
enum harness_status harness_file_write_lazily(const char *path, const void *bytes, size_t size,
                                              struct harness_error *error);

/* Locks an open file or directory until every process that has inherited the descriptor has closed it. If another one
 * holds the lock, tries again for three seconds, since the children of a killed process live a moment longer than it;
 * then HARNESS_HOST, with the message "path: who". */
enum harness_status harness_file_lock(int descriptor, const char *path, const char *who, struct harness_error *error);

/* `format` and `warnings` may be NULL. Captures get wide windows. */
enum harness_status harness_case_load_file(struct harness_case *out, const char *path, enum harness_format *format,
                                           struct harness_text *warnings, struct harness_error *error);

/* By extension: .pcb binary, anything else text. */
enum harness_status harness_case_save_file(const struct harness_case *test_case, const char *path,
                                           struct harness_error *error);

#endif
