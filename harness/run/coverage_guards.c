/*
 * What a plug-in calls that was built with -fsanitize-coverage=trace-pc-guard, or with afl-clang-fast, which has a
 * counter for each guard in a map that it finds by the pointer __afl_area_ptr. AFL++'s runtime has all three; in other
 * programs they are here. harness_edges_number (harness/run/edges.h) numbers the guards and gives the map; until then
 * all of them count in the first byte.
 */
#include <stdint.h>

void harness_guards_begin(uint32_t *start, uint32_t *stop);
void harness_guards_hit(const uint32_t *guard);

/* AFL++'s instrumentation writes there before the map is known, beyond its first byte if its guards are numbered. */
static uint8_t unknown[1 << 16];
extern uint8_t *__afl_area_ptr;
uint8_t *__afl_area_ptr = unknown;

/* Called when the library is loaded. Its guards are 0 then; they are found and numbered by its file. */
void harness_guards_begin(uint32_t *start, uint32_t *stop)
{
    (void)start;
    (void)stop;
}

/* The counter saturates at 255. */
void harness_guards_hit(const uint32_t *guard)
{
    uint8_t *const counter = &__afl_area_ptr[*guard];
    *counter = (uint8_t)(*counter + (*counter != UINT8_MAX));
}
