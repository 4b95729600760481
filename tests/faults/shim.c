/* Faults under a store: preloaded, it counts the I/O calls on files of one folder and spoils one of them.
 *
 * Python's sqlite3 takes no VFS, so faults come from below it. Nothing happens until `shim_arm` is called; a process that
 * forks children arms each child for itself. Syncs are counted and answered, not done: killing a process loses nothing
 * that was written, and the disk may rest.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, KILL_BEFORE, KILL_AFTER, EIO_ERROR, ENOSPC_ERROR, SHORT_WRITE, TORN_WRITE };

#define MOST_FILES 4096

static char folder[4096];
static size_t folder_length;
static long spoiled, calls;
static int fault, from_then_on, log_to = -1;
enum { FILE_IN_FOLDER = 1, FOLDER = 2, NOTE = 4, UNSYNCED = 8 };
static unsigned char ours[MOST_FILES]; /* by descriptor */
static int folder_unsynced, closed_unsynced;

#define REAL(name) ((__typeof__(name) *)dlsym(RTLD_NEXT, #name))

/* Spoil call number `call` (from 1) on files under `path`; `sticky`: that one and all after it. log < 0: no log. */
void shim_arm(const char *path, long call, int kind, int sticky, int log) {
    strncpy(folder, path, sizeof folder - 1);
    folder_length = strlen(folder);
    spoiled = call, fault = kind, from_then_on = sticky, log_to = log, calls = 0;
    memset(ours, 0, sizeof ours);
    folder_unsynced = closed_unsynced = 0;
}

long shim_calls(void) { return calls; }

/* How many files were written to, or renamed, and not synced since: what a power cut could take back. */
int shim_unsynced(void) {
    int count = folder_unsynced + closed_unsynced;
    for (int file = 0; file < MOST_FILES; file++)
        count += (ours[file] & UNSYNCED) != 0;
    return count;
}

static int under(const char *path) {
    return folder_length && !strncmp(path, folder, folder_length) && path[folder_length] == '/';
}

static int known(int file) { return file >= 0 && file < MOST_FILES && ours[file]; }

static void written(int file) { ours[file] |= ours[file] & FILE_IN_FOLDER ? UNSYNCED : 0; }

/* Count a call; return the fault that it suffers. */
static int strike(const char *name) {
    calls++;
    if (log_to >= 0)
        dprintf(log_to, "%ld %s\n", calls, name);
    int now = calls == spoiled || (from_then_on && spoiled && calls > spoiled) ? fault : NONE;
    if (now == KILL_BEFORE)
        kill(getpid(), SIGKILL);
    return now;
}

/* What follows a call that was done. */
static long after(int now, long result) {
    int kept = errno;
    if (now == KILL_AFTER || now == TORN_WRITE)
        kill(getpid(), SIGKILL);
    errno = kept;
    return result;
}

/* Errors that any call may give; ENOSPC is left to those that take room. */
static int refused(int now, int takes_room) {
    if (now == EIO_ERROR || (now == ENOSPC_ERROR && takes_room)) {
        errno = now == EIO_ERROR ? EIO : ENOSPC;
        return 1;
    }
    return 0;
}

/* The note of who holds the store is a courtesy, and need not last. */
static int is_note(const char *path) {
    size_t length = strlen(path);
    return length > 5 && (!strcmp(path + length - 5, ".lock") || !strcmp(path + length - 5, "-lock"));
}

#define OPEN(name)                                                                                                    \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list rest;                                                                                                 \
        va_start(rest, flags);                                                                                        \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;                                       \
        va_end(rest);                                                                                                 \
        int it_itself = folder_length && !strcmp(path, folder);                                                       \
        if (!under(path) && !it_itself)                                                                               \
            return REAL(name)(path, flags, mode);                                                                     \
        int now = strike(#name);                                                                                      \
        if (refused(now, flags & O_CREAT))                                                                            \
            return -1;                                                                                                \
        int file = REAL(name)(path, flags, mode);                                                                     \
        if (file >= 0 && file < MOST_FILES)                                                                           \
            ours[file] = it_itself ? FOLDER : is_note(path) ? NOTE : FILE_IN_FOLDER;                                  \
        return (int)after(now, file);                                                                                 \
    }
OPEN(open)
OPEN(open64)

int close(int file) {
    if (file >= 0 && file < MOST_FILES) {
        closed_unsynced += (ours[file] & UNSYNCED) != 0;
        ours[file] = 0;
    }
    return REAL(close)(file);
}

#define WRITE(name, parameters, ...)                                                                                  \
    ssize_t name parameters {                                                                                         \
        if (!known(file))                                                                                             \
            return REAL(name)(__VA_ARGS__);                                                                           \
        int now = strike(#name);                                                                                      \
        if (refused(now, 1))                                                                                          \
            return -1;                                                                                                \
        if ((now == SHORT_WRITE || now == TORN_WRITE) && size > 1)                                                    \
            size /= 2;                                                                                                \
        written(file);                                                                                                \
        return after(now, REAL(name)(__VA_ARGS__));                                                                   \
    }
WRITE(write, (int file, const void *data, size_t size), file, data, size)
WRITE(pwrite, (int file, const void *data, size_t size, off_t at), file, data, size, at)
WRITE(pwrite64, (int file, const void *data, size_t size, off64_t at), file, data, size, at)

#define READ(name, parameters, ...)                                                                                   \
    ssize_t name parameters {                                                                                         \
        if (!known(file))                                                                                             \
            return REAL(name)(__VA_ARGS__);                                                                           \
        int now = strike(#name);                                                                                      \
        return refused(now, 0) ? -1 : after(now, REAL(name)(__VA_ARGS__));                                            \
    }
READ(read, (int file, void *data, size_t size), file, data, size)
READ(pread, (int file, void *data, size_t size, off_t at), file, data, size, at)
READ(pread64, (int file, void *data, size_t size, off64_t at), file, data, size, at)

#define SYNC(name)                                                                                                    \
    int name(int file) {                                                                                              \
        if (!known(file))                                                                                             \
            return REAL(name)(file);                                                                                  \
        int now = strike(#name);                                                                                      \
        if (refused(now, 1))                                                                                          \
            return -1;                                                                                                \
        ours[file] &= (unsigned char)~UNSYNCED;                                                                       \
        folder_unsynced = ours[file] & FOLDER ? 0 : folder_unsynced;                                                  \
        return (int)after(now, 0);                                                                                    \
    }
SYNC(fsync)
SYNC(fdatasync)

#define TRUNCATE(name, offset)                                                                                        \
    int name(int file, offset size) {                                                                                 \
        if (!known(file))                                                                                             \
            return REAL(name)(file, size);                                                                            \
        int now = strike(#name);                                                                                      \
        written(file);                                                                                                \
        return refused(now, 0) ? -1 : (int)after(now, REAL(name)(file, size));                                        \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

int unlink(const char *path) {
    if (!under(path))
        return REAL(unlink)(path);
    int now = strike("unlink");
    if (refused(now, 0))
        return -1;
    int result = REAL(unlink)(path);
    folder_unsynced |= result == 0; /* a journal that comes back would undo what was committed */
    return (int)after(now, result);
}

int link(const char *from, const char *to) {
    if (!under(from) && !under(to))
        return REAL(link)(from, to);
    int now = strike("link");
    folder_unsynced = 1;
    return refused(now, 1) ? -1 : (int)after(now, REAL(link)(from, to));
}

int rename(const char *from, const char *to) {
    if (!under(from) && !under(to))
        return REAL(rename)(from, to);
    int now = strike("rename");
    folder_unsynced = 1;
    return refused(now, 1) ? -1 : (int)after(now, REAL(rename)(from, to));
}
