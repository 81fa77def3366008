/* The pack, as the assembler copies it in: as an array of C it would cost compilers half a minute. */
#include "harness/vectors/vectors.h"

__asm__(".section .rodata\n"
        ".balign 16\n"
        "vectors_builtin_begin:\n"
        ".incbin \"" PACK_FILE "\"\n"
        "vectors_builtin_end:\n"
        ".byte 0\n"
        ".previous\n");

extern const uint8_t vectors_builtin_begin[], vectors_builtin_end[];

const uint8_t *vectors_builtin(size_t *size)
{
    *size = (size_t)(vectors_builtin_end - vectors_builtin_begin);
    return vectors_builtin_begin;
}
