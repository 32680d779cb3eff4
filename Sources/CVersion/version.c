#include "CVersion.h"

#ifndef BUILD_VERSION
#define BUILD_VERSION "development"
#endif

static const char version[] = BUILD_VERSION;

unsigned char version_byte(size_t index) {
    return index < sizeof version ? (unsigned char)version[index] : 0;
}
