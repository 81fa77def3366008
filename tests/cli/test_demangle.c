/* A crash's bucket has the name that people say of a function. */
#include "harness/triage/demangle.h"

#include <criterion/criterion.h>
#include <string.h>

Test(demangle, names_of_cpp_without_parameters)
{
    static const char *const names[][2] = {
        { "_ZN4pica8geometry3runEj", "pica::geometry::run" },
        { "_ZNK4pica6Shader5entryEv", "pica::Shader::entry" },
        { "_ZN4pica6ShaderC2Ev", "pica::Shader::Shader" },
        { "_ZN4pica6ShaderD0Ev", "pica::Shader::~Shader" },
        { "_Z4drawi", "draw" },
        { "_ZL4drawi", "draw" },
        { "_ZN12_GLOBAL__N_14drawEv", "(anonymous)::draw" },
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char out[64] = "";
        cr_expect(harness_demangle(names[i][0], out, sizeof out), "%s", names[i][0]);
        cr_expect_str_eq(out, names[i][1], "%s: %s", names[i][0], out);
    }
}

Test(demangle, anything_else_stays)
{
    static const char *const names[] = {
        "pica_texture_fetch",    "_Z",         "_ZN", "_ZN4picaE3", "_ZN9999999999picaE",
        "_ZN4pica3maxIfEET_S1_", "_ZplRKiS0_", "",    "_ZNC2Ev",    "_Z3maxIiET_S0_"
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char out[64] = "as before";
        const bool read = harness_demangle(names[i], out, sizeof out);
        cr_expect(!read || strcmp(names[i], "_ZN4picaE3") == 0, "%s: %s", names[i], out);
        cr_expect(read || strcmp(out, "as before") == 0, "%s: %s", names[i], out);
    }
    char out[5] = "____";
    cr_expect_not(harness_demangle("_ZN4pica4drawEv", out, sizeof out), "it does not fit: %s", out);
}
