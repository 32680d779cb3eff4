#include <zlib.h>

// deflateInit2 is a macro, which Swift does not import. 16 above the window's bits: with the header
// of gzip.
static inline int shim_deflate_init_gzip(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, MAX_WBITS + 16, MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY);
}
