/* Readable names of C++ functions. */
#ifndef HARNESS_TRIAGE_DEMANGLE_H
#define HARNESS_TRIAGE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Demangles a symbol ("_ZN4pica8geometry3runEj" to "pica::geometry::run"), without parameters. Handles names in
 * namespaces and classes, constructors and destructors. For all other symbols (C, templates, operators), or if `out` is
 * too small, returns false and writes nothing.
 */
bool harness_demangle(const char *symbol, char *out, size_t size);

#endif
