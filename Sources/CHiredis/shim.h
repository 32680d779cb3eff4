#include <hiredis/hiredis.h>

// The text of an error is an array inside a structure, which Swift imports as a tuple.
static inline const char *shim_redis_error(const redisContext *context) { return context->errstr; }
