#include <stddef.h>

/// A byte of the list of emoji by their names, '{"tada":"…",…}'; 0 behind the last one.
unsigned char emoji_list_byte(size_t index);
