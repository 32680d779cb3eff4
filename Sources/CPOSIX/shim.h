#pragma once

#include <sys/types.h>

// GNU extensions, which Swift's Glibc module does not import.
extern int syncfs(int descriptor);
extern ssize_t getdents64(int descriptor, void *entries, size_t count);
