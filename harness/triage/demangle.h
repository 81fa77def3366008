/* What C++ calls a function. */
#ifndef HARNESS_TRIAGE_DEMANGLE_H
#define HARNESS_TRIAGE_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * The name that people say of a symbol ("_ZN4pica8geometry3runEj": "pica::geometry::run"), without parameters: of names
 * in namespaces and classes, constructors and destructors. False, and nothing is written, for what is no such symbol
 * (C, templates, operators) or does not fit.
 */
bool harness_demangle(const char *symbol, char *out, size_t size);

#endif
