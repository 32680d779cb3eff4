#include <jansson.h>

// json_decref is an inline function over a macro for atomics; Swift imports neither reliably.
static inline void shim_json_decref(json_t *value) { json_decref(value); }
