// Loaded before the C library: tells the calls that publish a site, and makes some of them fail.
//
//   CALLS_LOG=file                    a line for each call: its name, its path or paths
//   CALLS_FAIL=name:errno:text[:skip] calls of that name fail whose path has that text in it; the
//                                     first ones are let pass
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static _Thread_local int is_inside;

static void path_of(int descriptor, char *path) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, 4095);
    path[count > 0 ? count : 0] = 0;
}

// Whether a call has to fail; `errno` is set then.
static int fails(const char *name, const char *path, const char *other) {
    if (is_inside) return 0;
    is_inside = 1;
    const char *log = getenv("CALLS_LOG");
    if (log) {
        char line[9000];
        int count = snprintf(line, sizeof line, "%s %s%s%s\n", name, path, other ? " " : "", other ? other : "");
        int file = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND, 0644);
        if (REAL(write)(file, line, (size_t)count) < 0) abort();
        close(file);
    }
    is_inside = 0;
    static int calls;
    char rule[500], *rest = rule;
    snprintf(rule, sizeof rule, "%s", getenv("CALLS_FAIL") ? getenv("CALLS_FAIL") : "");
    char *wanted = strsep(&rest, ":"), *number = strsep(&rest, ":"), *text = strsep(&rest, ":");
    if (!text || strcmp(wanted, name) || (!strstr(path, text) && !(other && strstr(other, text)))) return 0;
    if (__atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) < (rest ? atoi(rest) : 0)) return 0;
    errno = atoi(number);
    return 1;
}

int fsync(int file) {
    char path[4096];
    path_of(file, path);
    return fails("fsync", path, NULL) ? -1 : REAL(fsync)(file);
}

int syncfs(int file) {
    char path[4096];
    path_of(file, path);
    return fails("syncfs", path, NULL) ? -1 : REAL(syncfs)(file);
}

ssize_t write(int file, const void *bytes, size_t count) {
    char path[4096];
    path_of(file, path);
    return fails("write", path, NULL) ? -1 : REAL(write)(file, bytes, count);
}

int rename(const char *from, const char *to) { return fails("rename", from, to) ? -1 : REAL(rename)(from, to); }

int link(const char *from, const char *to) { return fails("link", from, to) ? -1 : REAL(link)(from, to); }

int symlink(const char *text, const char *path) { return fails("symlink", text, path) ? -1 : REAL(symlink)(text, path); }

int unlink(const char *path) { return fails("unlink", path, NULL) ? -1 : REAL(unlink)(path); }

int mkdir(const char *path, mode_t mode) { return fails("mkdir", path, NULL) ? -1 : REAL(mkdir)(path, mode); }

// The path of a name in an open folder.
static const char *below(int folder, const char *name, char *path) {
    if (folder == AT_FDCWD || *name == '/') return name;
    path_of(folder, path);
    strncat(strcat(path, "/"), name, 3000);
    return path;
}

int linkat(int from, const char *old, int to, const char *name, int flags) {
    char source[8000], target[8000];
    return fails("link", below(from, old, source), below(to, name, target)) ? -1 : REAL(linkat)(from, old, to, name, flags);
}

int unlinkat(int folder, const char *name, int flags) {
    char path[8000];
    const char *call = flags & AT_REMOVEDIR ? "rmdir" : "unlink";
    return fails(call, below(folder, name, path), NULL) ? -1 : REAL(unlinkat)(folder, name, flags);
}

int mkdirat(int folder, const char *name, mode_t mode) {
    char path[8000];
    return fails("mkdir", below(folder, name, path), NULL) ? -1 : REAL(mkdirat)(folder, name, mode);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    char path[8000];
    return fails("openat", below(folder, name, path), NULL) ? -1 : REAL(openat)(folder, name, flags, mode);
}

ssize_t pread(int file, void *bytes, size_t count, off_t start) {
    char path[4096];
    path_of(file, path);
    return fails("pread", path, NULL) ? -1 : REAL(pread)(file, bytes, count, start);
}

ssize_t getdents64(int folder, void *entries, size_t count) {
    char path[4096];
    path_of(folder, path);
    return fails("getdents64", path, NULL) ? -1 : REAL(getdents64)(folder, entries, count);
}

int flock(int file, int operation) {
    char path[4096];
    path_of(file, path);
    return fails("flock", path, NULL) ? -1 : REAL(flock)(file, operation);
}
