#include <stddef.h>

/// A byte of the version of this build; 0 behind the last one.
unsigned char version_byte(size_t index);
