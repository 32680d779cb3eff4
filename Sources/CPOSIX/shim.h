#pragma once

// A GNU extension, which Swift's Glibc module does not import.
extern int syncfs(int descriptor);
