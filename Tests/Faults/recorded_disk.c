// Loaded before the C library: records what a program changes below the folder RECORDED_FOLDER, in the order in which
// it happens, with all bytes, and what it syncs to disk. power_loss.py reads the file RECORDED_LOG.
//
// One change at a time: a lock around call and record keeps the two in the same order.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// The same letters as in recorded_changes.py.
enum kind {
    CREATE = 'c', TRUNCATE = 't', WRITE = 'w', MKDIR = 'd', LINK = 'l', SYMLINK = 's', RENAME = 'r', UNLINK = 'u', TIME = 'm', FSYNC = 'f',
    SYNCFS = 'F'
};

struct record {
    uint32_t kind, first, second, unused;   // the lengths of the two byte strings that follow
    uint64_t inode;
    int64_t number;                         // a position, a size or a time
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static const char *folder;
static size_t folder_length;
static int record_file = -1;
static unsigned char is_tracked[65536];

__attribute__((constructor)) static void begin(void) {
    folder = getenv("RECORDED_FOLDER");
    const char *log = getenv("RECORDED_LOG");
    if (!folder || !log) return;
    folder_length = strlen(folder);
    record_file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

static int is_below(const char *path) {
    return record_file >= 0 && !strncmp(path, folder, folder_length) && (path[folder_length] == '/' || !path[folder_length]);
}

static void note(enum kind kind, const struct stat *status, int64_t number, const void *first, size_t one, const void *second, size_t two) {
    struct record record = {kind, (uint32_t)one, (uint32_t)two, 0, status ? status->st_ino : 0, number};
    struct iovec parts[] = {{&record, sizeof record}, {(void *)first, one}, {(void *)second, two}};
    if (writev(record_file, parts, 3) != (ssize_t)(sizeof record + one + two)) abort();
}

// The whole path of a name in an open folder.
static const char *whole(int above, const char *name, char *path) {
    if (*name == '/') return name;
    char link[64] = "/proc/self/cwd";
    if (above != AT_FDCWD) snprintf(link, sizeof link, "/proc/self/fd/%d", above);
    long count = syscall(SYS_readlinkat, AT_FDCWD, link, path, 4000);
    path[count > 0 ? count : 0] = 0;
    if (strcmp(name, ".")) strcat(strcat(path, "/"), name);
    return path;
}

static int status_of(const char *path, struct stat *status) { return !syscall(SYS_newfstatat, AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW); }
static int status_of_open(int file, struct stat *status) { return !syscall(SYS_fstat, file, status); }
static int tracks(int file) { return file >= 0 && file < (int)sizeof is_tracked && is_tracked[file]; }

static int opened(int above, const char *name, int flags, mode_t mode) {
    char room[8192];
    const char *path = whole(above, name, room);
    if (!is_below(path)) {
        int file = (int)syscall(SYS_openat, above, name, flags, mode);
        if (file >= 0 && file < (int)sizeof is_tracked) is_tracked[file] = 0;
        return file;
    }
    pthread_mutex_lock(&lock);
    struct stat before, after;
    int was_there = status_of(path, &before);
    int file = (int)syscall(SYS_openat, above, name, flags, mode), error = errno;
    if (file >= 0 && file < (int)sizeof is_tracked) {
        is_tracked[file] = 1;
        if (status_of_open(file, &after) && S_ISREG(after.st_mode)) {
            if (!was_there) note(CREATE, &after, 0, path, strlen(path), NULL, 0);
            else if (flags & O_TRUNC) note(TRUNCATE, &after, 0, NULL, 0, NULL, 0);
        }
    }
    pthread_mutex_unlock(&lock);
    errno = error;
    return file;
}

#define OPENS(name, before, above) \
    int name(before const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, mode_t); \
        va_end(rest); \
        return opened(above, path, flags, mode); \
    }
#define COMMA ,
OPENS(open, , AT_FDCWD)
OPENS(open64, , AT_FDCWD)
OPENS(openat, int folder COMMA, folder)
OPENS(openat64, int folder COMMA, folder)

int close(int file) {
    if (tracks(file)) is_tracked[file] = 0;
    return (int)syscall(SYS_close, file);
}

static ssize_t written(int file, const void *bytes, size_t count, off_t at, int is_positioned) {
    if (!tracks(file))
        return is_positioned ? syscall(SYS_pwrite64, file, bytes, count, at) : syscall(SYS_write, file, bytes, count);
    pthread_mutex_lock(&lock);
    struct stat status;
    status_of_open(file, &status);
    if (!is_positioned) {
        at = syscall(SYS_fcntl, file, F_GETFL) & O_APPEND ? status.st_size : syscall(SYS_lseek, file, 0, SEEK_CUR);
    }
    ssize_t done = is_positioned ? syscall(SYS_pwrite64, file, bytes, count, at) : syscall(SYS_write, file, bytes, count);
    int error = errno;
    if (done > 0) note(WRITE, &status, at, bytes, (size_t)done, NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return done;
}

ssize_t write(int file, const void *bytes, size_t count) { return written(file, bytes, count, 0, 0); }
ssize_t pwrite(int file, const void *bytes, size_t count, off_t at) { return written(file, bytes, count, at, 1); }
ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) { return written(file, bytes, count, at, 1); }

// Makes a system call and records it if it succeeded.
#define RECORDED(condition, call, kind, status, number, first, one, second, two) \
    if (!(condition)) return (int)(call); \
    pthread_mutex_lock(&lock); \
    int result = (int)(call), error = errno; \
    if (!result) note(kind, status, number, first, one, second, two); \
    pthread_mutex_unlock(&lock); \
    errno = error; \
    return result

int ftruncate(int file, off_t size) {
    struct stat status;
    status_of_open(file, &status);
    RECORDED(tracks(file), syscall(SYS_ftruncate, file, size), TRUNCATE, &status, size, NULL, 0, NULL, 0);
}

static int made_folder(int above, const char *name, mode_t mode) {
    char room[8192];
    const char *path = whole(above, name, room);
    if (!is_below(path)) return (int)syscall(SYS_mkdirat, above, name, mode);
    pthread_mutex_lock(&lock);
    struct stat status;
    int result = (int)syscall(SYS_mkdirat, above, name, mode), error = errno;
    if (!result && status_of(path, &status)) note(MKDIR, &status, 0, path, strlen(path), NULL, 0);
    pthread_mutex_unlock(&lock);
    errno = error;
    return result;
}

int mkdir(const char *path, mode_t mode) { return made_folder(AT_FDCWD, path, mode); }
int mkdirat(int above, const char *name, mode_t mode) { return made_folder(above, name, mode); }

static int linked(int above, const char *from, int other, const char *to, int flags) {
    char room[8192], more[8192];
    const char *old = whole(above, from, room), *new = whole(other, to, more);
    struct stat status;
    status_of(old, &status);
    RECORDED(is_below(new), syscall(SYS_linkat, above, from, other, to, flags), LINK, &status, 0, old, strlen(old), new, strlen(new));
}

int link(const char *from, const char *to) { return linked(AT_FDCWD, from, AT_FDCWD, to, 0); }
int linkat(int above, const char *from, int other, const char *to, int flags) { return linked(above, from, other, to, flags); }

int symlink(const char *text, const char *name) {
    char room[8192];
    const char *path = whole(AT_FDCWD, name, room);
    RECORDED(is_below(path), syscall(SYS_symlinkat, text, AT_FDCWD, name), SYMLINK, NULL, 0, path, strlen(path), text, strlen(text));
}

static int renamed(int above, const char *from, int other, const char *to) {
    char room[8192], more[8192];
    const char *old = whole(above, from, room), *new = whole(other, to, more);
    RECORDED(is_below(new), syscall(SYS_renameat, above, from, other, to), RENAME, NULL, 0, old, strlen(old), new, strlen(new));
}

int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int above, const char *from, int other, const char *to) { return renamed(above, from, other, to); }

static int removed(int above, const char *name, int flags) {
    char room[8192];
    const char *path = whole(above, name, room);
    RECORDED(is_below(path), syscall(SYS_unlinkat, above, name, flags), UNLINK, NULL, 0, path, strlen(path), NULL, 0);
}

int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int above, const char *name, int flags) { return removed(above, name, flags); }

static int64_t seconds(const struct timespec times[2]) { return times && times[1].tv_nsec != UTIME_NOW ? times[1].tv_sec : time(NULL); }

int futimens(int file, const struct timespec times[2]) {
    struct stat status;
    status_of_open(file, &status);
    RECORDED(tracks(file), syscall(SYS_utimensat, file, NULL, times, 0), TIME, &status, seconds(times), NULL, 0, NULL, 0);
}

int utimensat(int above, const char *name, const struct timespec times[2], int flags) {
    char room[8192];
    const char *path = whole(above, name, room);
    struct stat status;
    if (is_below(path) && !status_of(path, &status)) status.st_ino = 0;
    RECORDED(is_below(path), syscall(SYS_utimensat, above, name, times, flags), TIME, &status, seconds(times), NULL, 0, NULL, 0);
}

int fsync(int file) {
    struct stat status;
    status_of_open(file, &status);
    RECORDED(tracks(file), syscall(SYS_fsync, file), FSYNC, &status, 0, NULL, 0, NULL, 0);
}

int fdatasync(int file) { return fsync(file); }

int syncfs(int file) { RECORDED(tracks(file), syscall(SYS_syncfs, file), SYNCFS, NULL, 0, NULL, 0, NULL, 0); }
