// Loaded before the C library: counts a program's system calls, makes one of them fail, and sets its clock.
//
// FAULTS_CONTROL names a file that the program and the test both map (control_file.py has the same layout), so a
// test can give orders to a running program. FAULTS_PROGRAM is the only program that the orders are for: what it
// starts, git and Python, gets the same environment.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum call {
    READ, WRITE, PREAD, PWRITE, OPEN, RENAME, LINK, MKDIR, READDIR, FSYNC, STAT, UNLINK, SYMLINK, FTRUNCATE, MMAP, ACCEPT,
    SEND, RECV, POLL, CONNECT, SOCKET, PIPE, FLOCK, UTIMENS, READLINK, SPAWN, THREAD, CALLS
};

struct control {
    int64_t nth;      // how many calls from now the one that fails is
    int64_t clock;    // seconds added to the time of day
    int32_t call;     // 1 + the call that fails; 0: none
    int32_t error;    // its errno; -1: it does half of its work
    int32_t failed;   // how many calls have failed
    int32_t haste;    // sleeps are this many times shorter
    int64_t counts[32];
    char what[512];   // the call that failed
};

static struct control *control;

__attribute__((constructor)) static void map_control(void) {
    const char *file = getenv("FAULTS_CONTROL"), *program = getenv("FAULTS_PROGRAM");
    if (!file || !program || strcmp(program, program_invocation_short_name)) return;
    int number = (int)syscall(SYS_openat, AT_FDCWD, file, O_RDWR);
    long at = syscall(SYS_mmap, NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, number, 0);
    syscall(SYS_close, number);
    if (at > 0) control = (struct control *)at;
}

// 0, or the errno to fail with, or -1 for half of the work.
static int fault(enum call call, const char *name, int file, const char *path) {
    if (!control) return 0;
    __atomic_add_fetch(&control->counts[call], 1, __ATOMIC_RELAXED);
    if (__atomic_load_n(&control->call, __ATOMIC_ACQUIRE) != (int)call + 1) return 0;
    if (__atomic_sub_fetch(&control->nth, 1, __ATOMIC_ACQ_REL) != 0) return 0;
    char link[64], target[400] = "";
    if (file >= 0) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", file);
        syscall(SYS_readlinkat, AT_FDCWD, link, target, sizeof target - 1);
    }
    snprintf(control->what, sizeof control->what, "%s %s%s%.200s", name, target, path && *target ? "/" : "", path ? path : "");
    __atomic_add_fetch(&control->failed, 1, __ATOMIC_RELEASE);
    return control->error;
}

#define REAL(name) ({ static __typeof__(&name) real; if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); real; })
// Ends the function with the error if the call is to fail; otherwise `is_half` says whether it does half of its work.
#define FAIL(call, name, file, path, result) \
    int error = fault(call, name, file, path); \
    if (error > 0) { errno = error; return result; } \
    int is_half = error < 0; \
    (void)is_half
#define HALF(count) (is_half && (count) > 1 ? (count) / 2 : (count))

#define READS(name, call, type, more, values) \
    ssize_t name(int file, type bytes, size_t count more) { \
        FAIL(call, #name, file, NULL, -1); \
        return REAL(name)(file, bytes, HALF(count) values); \
    }
#define COMMA ,
READS(read, READ, void *, , )
READS(write, WRITE, const void *, , )
READS(pread, PREAD, void *, COMMA off_t start, COMMA start)
READS(pread64, PREAD, void *, COMMA off64_t start, COMMA start)
READS(pwrite, PWRITE, const void *, COMMA off_t start, COMMA start)
READS(pwrite64, PWRITE, const void *, COMMA off64_t start, COMMA start)
READS(send, SEND, const void *, COMMA int flags, COMMA flags)
READS(recv, RECV, void *, COMMA int flags, COMMA flags)
READS(sendto, SEND, const void *, COMMA int flags COMMA const struct sockaddr *to COMMA socklen_t size, COMMA flags COMMA to COMMA size)
READS(recvfrom, RECV, void *, COMMA int flags COMMA struct sockaddr *from COMMA socklen_t *size, COMMA flags COMMA from COMMA size)

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    FAIL(SEND, "sendmsg", file, NULL, -1);
    return REAL(sendmsg)(file, message, flags);
}

ssize_t recvmsg(int file, struct msghdr *message, int flags) {
    FAIL(RECV, "recvmsg", file, NULL, -1);
    return REAL(recvmsg)(file, message, flags);
}

// libcurl and others are compiled with these names.
ssize_t __read_chk(int file, void *bytes, size_t count, size_t room) { return (void)room, read(file, bytes, count); }
ssize_t __recv_chk(int file, void *bytes, size_t count, size_t room, int flags) { return (void)room, recv(file, bytes, count, flags); }
int __poll_chk(struct pollfd *files, nfds_t count, int milliseconds, size_t room) { return (void)room, poll(files, count, milliseconds); }

#define OPENS(name, before, folder, values) \
    int name(before const char *path, int flags, ...) { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = va_arg(rest, mode_t); \
        va_end(rest); \
        FAIL(OPEN, #name, folder, path, -1); \
        return REAL(name)(values path, flags, mode); \
    }
OPENS(open, , -1, )
OPENS(open64, , -1, )
OPENS(openat, int folder COMMA, folder, folder COMMA)
OPENS(openat64, int folder COMMA, folder, folder COMMA)

#define CALL(type, call, name, file, path, failure, declared, values) \
    type name declared { \
        FAIL(call, #name, file, path, failure); \
        return REAL(name) values; \
    }
CALL(FILE *, OPEN, fopen, -1, path, NULL, (const char *path, const char *mode), (path, mode))
CALL(FILE *, OPEN, fopen64, -1, path, NULL, (const char *path, const char *mode), (path, mode))
CALL(DIR *, OPEN, opendir, -1, path, NULL, (const char *path), (path))
CALL(struct dirent *, READDIR, readdir, dirfd(folder), NULL, NULL, (DIR *folder), (folder))
CALL(ssize_t, READDIR, getdents64, folder, NULL, -1, (int folder, void *entries, size_t room), (folder, entries, room))
CALL(int, RENAME, rename, -1, to, -1, (const char *from, const char *to), (from, to))
CALL(int, RENAME, renameat, folder, from, -1, (int folder, const char *from, int other, const char *to), (folder, from, other, to))
CALL(int, LINK, link, -1, to, -1, (const char *from, const char *to), (from, to))
CALL(int, LINK, linkat, other, to, -1, (int folder, const char *from, int other, const char *to, int flags), (folder, from, other, to, flags))
CALL(int, SYMLINK, symlink, -1, path, -1, (const char *text, const char *path), (text, path))
CALL(int, UNLINK, unlink, -1, path, -1, (const char *path), (path))
CALL(int, UNLINK, unlinkat, folder, path, -1, (int folder, const char *path, int flags), (folder, path, flags))
CALL(int, UNLINK, rmdir, -1, path, -1, (const char *path), (path))
CALL(int, MKDIR, mkdir, -1, path, -1, (const char *path, mode_t mode), (path, mode))
CALL(int, MKDIR, mkdirat, folder, path, -1, (int folder, const char *path, mode_t mode), (folder, path, mode))
CALL(char *, MKDIR, mkdtemp, -1, path, NULL, (char *path), (path))
CALL(int, FSYNC, fsync, file, NULL, -1, (int file), (file))
CALL(int, FSYNC, fdatasync, file, NULL, -1, (int file), (file))
CALL(int, FSYNC, syncfs, file, NULL, -1, (int file), (file))
CALL(int, STAT, stat, -1, path, -1, (const char *path, struct stat *status), (path, status))
CALL(int, STAT, lstat, -1, path, -1, (const char *path, struct stat *status), (path, status))
CALL(int, STAT, fstat, file, NULL, -1, (int file, struct stat *status), (file, status))
CALL(int, STAT, fstatat, folder, path, -1, (int folder, const char *path, struct stat *status, int flags), (folder, path, status, flags))
CALL(ssize_t, READLINK, readlink, -1, path, -1, (const char *path, char *text, size_t room), (path, text, room))
CALL(char *, READLINK, realpath, -1, path, NULL, (const char *path, char *real), (path, real))
CALL(int, FTRUNCATE, ftruncate, file, NULL, -1, (int file, off_t size), (file, size))
CALL(int, FLOCK, flock, file, NULL, -1, (int file, int operation), (file, operation))
CALL(int, ACCEPT, accept, file, NULL, -1, (int file, struct sockaddr *from, socklen_t *size), (file, from, size))
CALL(int, ACCEPT, accept4, file, NULL, -1, (int file, struct sockaddr *from, socklen_t *size, int flags), (file, from, size, flags))
CALL(int, CONNECT, connect, file, NULL, -1, (int file, const struct sockaddr *to, socklen_t size), (file, to, size))
CALL(int, SOCKET, socket, -1, NULL, -1, (int domain, int type, int protocol), (domain, type, protocol))
CALL(int, SOCKET, socketpair, -1, NULL, -1, (int domain, int type, int protocol, int pair[2]), (domain, type, protocol, pair))
CALL(int, PIPE, pipe, -1, NULL, -1, (int pair[2]), (pair))
CALL(int, PIPE, pipe2, -1, NULL, -1, (int pair[2], int flags), (pair, flags))
CALL(int, POLL, poll, -1, NULL, -1, (struct pollfd *files, nfds_t count, int milliseconds), (files, count, milliseconds))
CALL(int, UTIMENS, utimensat, folder, path, -1, (int folder, const char *path, const struct timespec times[2], int flags), (folder, path, times, flags))
CALL(void *, MMAP, mmap, file, NULL, MAP_FAILED, (void *at, size_t size, int protection, int flags, int file, off_t start), (at, size, protection, flags, file, start))
CALL(pid_t, SPAWN, fork, -1, NULL, -1, (void), ())

// These two return the error itself.
int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
    int error = fault(SPAWN, "posix_spawn", -1, path);
    return error > 0 ? error : REAL(posix_spawn)(pid, path, actions, attributes, arguments, environment);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument) {
    int error = fault(THREAD, "pthread_create", -1, NULL);
    return error > 0 ? error : REAL(pthread_create)(thread, attributes, body, argument);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = REAL(clock_gettime)(clock, now);
    if (control && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock;
    return result;
}

time_t time(time_t *result) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result) *result = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *now, void *zone) {
    int result = REAL(gettimeofday)(now, zone);
    if (control) now->tv_sec += control->clock;
    return result;
}

// "Now" is the program's own time.
int futimens(int file, const struct timespec times[2]) {
    FAIL(UTIMENS, "futimens", file, NULL, -1);
    struct timespec now[2];
    clock_gettime(CLOCK_REALTIME, &now[0]);
    now[1] = now[0];
    return REAL(futimens)(file, times ? times : now);
}

int usleep(useconds_t microseconds) {
    return REAL(usleep)(control && control->haste > 1 ? microseconds / (useconds_t)control->haste : microseconds);
}
