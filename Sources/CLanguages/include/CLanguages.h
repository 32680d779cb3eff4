#include <stddef.h>

/// The file 'languages/TAG.toml' of this repository.
struct language_file {
    /// Such as "pt-BR".
    const char *tag;
    const unsigned char *bytes;
    size_t count;
};

/// NULL at and behind the last file.
const struct language_file *language_file_at(size_t index);
