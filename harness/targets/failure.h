/*
 * How a fuzz target says why it fails: one line on stderr, before the process ends, which harness/campaign reads.
 *
 *     picafuzz: failure 1 <TAB> KIND <TAB> KEY <TAB> PLACE <TAB> TITLE
 *
 * `1` is the version of the line. Two failures are of one kind if KIND, KEY and PLACE are the same; none of the three
 * holds an address or a value, and PLACE may be empty. TITLE is for people. No field holds a tab.
 *
 *     KIND        KEY                                                    PLACE
 *     differ      what differs, as the oracle names it                   none
 *     died        backend, call and signal: its own process ended        none
 *     relation    backend and relation                                   none
 *     varies      backend and check                                      none
 *     console     what is refused: "payload", "recording"                none
 *     files       what is wrong with a file that was read: "invalid"     none
 *     assertion   the expression                                         FUNCTION FILE:LINE
 *     address     of AddressSanitizer: "heap-buffer-overflow"            FUNCTION FILE:LINE:COLUMN
 *     undefined   of UBSan: "out-of-bounds-index"                        FILE:LINE:COLUMN
 *     memory      of MemorySanitizer: "use-of-uninitialized-value"       FUNCTION FILE:LINE:COLUMN
 *     signal      "SIGSEGV"                                              FUNCTION FILE:LINE:COLUMN
 *     timeout     "SIGALRM": the input has taken too long                FUNCTION FILE:LINE:COLUMN
 *
 * FUNCTION is the innermost one of this project's sources that was running. A program without a symbolizer (one that no
 * sanitizer was built into) says "+0x1234" instead: the place in its file.
 */
#ifndef HARNESS_TARGETS_FAILURE_H
#define HARNESS_TARGETS_FAILURE_H

/* Before each input. From the first one on, signals, failed assertions and sanitizer reports get their line; then the
 * engine does with them what it always does. */
void target_begin_input(void);

/* A property does not hold: the line for it. The title ends at its first newline. The caller ends the process. */
void target_tell(const char *kind, const char *key, const char *title);

#endif
