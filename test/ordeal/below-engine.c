/*
 * Fails one system call of a process: an LD_PRELOAD library that counts the calls on files of one home and
 * fails the n-th of a kind. LevelDB and Node call the C library, so the fault is below both.
 *
 * The process controls it by calls of access(2) on paths that do not exist:
 *   /below-engine/home/<path>                counts calls on paths below it from now on
 *   /below-engine/record/<file>              writes the kind of each counted call to a file
 *   /below-engine/fail/<n>/<errno>/<kind>    fails the n-th call of the kind, once
 *   /below-engine/off                        stops; 0 if the call was failed, else -1
 * A kind is the call, a space, and the path below the home, with `*` for an id and `#` for a number.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { most_files = 65536, most_path = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char home[most_path];
static char wanted[most_path];
static int nth, error, is_met, record = -1;
/* The place of each open file of the home. */
static char *places[most_files];

#define REAL(type, name, ...)                          \
  static type (*real)(__VA_ARGS__);                    \
  if (!real) real = (type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

/* Writes the place of a path below the home; 0 if it is elsewhere. */
static int place_of(const char *path, char *place) {
  size_t length = strlen(home);
  if (length == 0 || !path || strncmp(path, home, length) || (path[length] && path[length] != '/')) return 0;
  const char *at = path + length;
  if (*at == '/') at++;
  while (*at) {
    size_t hex = strspn(at, "0123456789abcdef-"), digits = strspn(at, "0123456789");
    int is_id = hex >= 16 && strcspn(at, "0123456789") < hex;
    if (is_id || digits > 0) {
      *place++ = is_id ? '*' : '#';
      at += is_id ? hex : digits;
    } else *place++ = *at++;
  }
  *place = 0;
  return 1;
}

/* Counts a call; 1 if it has to fail, with errno set. */
static int fails(const char *call, const char *place) {
  char kind[2 * most_path];
  int failing = 0;
  if (!place) return 0;
  int length = snprintf(kind, sizeof kind, "%s %s\n", call, place);
  pthread_mutex_lock(&lock);
  if (record >= 0 && write(record, kind, length) < 0) abort();
  kind[length - 1] = 0;
  if (nth > 0 && !strcmp(kind, wanted) && --nth == 0) failing = is_met = 1;
  pthread_mutex_unlock(&lock);
  if (failing) errno = error;
  return failing;
}

static int fails_path(const char *call, const char *path) {
  char place[most_path];
  return place_of(path, place) && fails(call, place);
}

static int fails_file(const char *call, int file) {
  return file >= 0 && file < most_files && fails(call, places[file]);
}

static int opened(int file, const char *path) {
  char place[most_path];
  if (file >= 0 && file < most_files) places[file] = place_of(path, place) ? strdup(place) : NULL;
  return file;
}

static int control(const char *path) {
  const char *rest = path + strlen("/below-engine/");
  int is_off = !strcmp(rest, "off"), was_met = is_met, old = -1;
  pthread_mutex_lock(&lock);
  if (!strncmp(rest, "home/", 5)) snprintf(home, sizeof home, "/%s", rest + 5);
  if (!strncmp(rest, "fail/", 5)) {
    char *kind;
    is_met = 0;
    nth = (int)strtol(rest + 5, &kind, 10);
    error = (int)strtol(kind + 1, &kind, 10);
    snprintf(wanted, sizeof wanted, "%s", kind + 1);
  }
  if (is_off) {
    nth = 0;
    old = record;
    record = -1;
  }
  pthread_mutex_unlock(&lock);
  if (old >= 0) close(old);
  if (!strncmp(rest, "record/", 7)) record = open(rest + 6, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
  if (is_off && !was_met) {
    errno = ENOENT;
    return -1;
  }
  return 0;
}

int access(const char *path, int mode) {
  REAL(int, "access", const char *, int);
  if (!strncmp(path, "/below-engine/", 14)) return control(path);
  return fails_path("access", path) ? -1 : real(path, mode);
}

#define OPEN(name)                                                              \
  int name(const char *path, int flags, ...) {                                  \
    REAL(int, #name, const char *, int, ...);                                   \
    va_list more;                                                               \
    va_start(more, flags);                                                      \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;     \
    va_end(more);                                                               \
    if (fails_path(flags & O_CREAT ? "create" : "open", path)) return -1;       \
    return opened(real(path, flags, mode), path);                               \
  }
OPEN(open)
OPEN(open64)

#define FOPEN(name)                                                             \
  FILE *name(const char *path, const char *mode) {                              \
    REAL(FILE *, #name, const char *, const char *);                            \
    if (fails_path(*mode == 'r' ? "open" : "create", path)) return NULL;        \
    FILE *file = real(path, mode);                                              \
    if (file) opened(fileno(file), path);                                       \
    return file;                                                                \
  }
FOPEN(fopen)
FOPEN(fopen64)

DIR *opendir(const char *path) {
  REAL(DIR *, "opendir", const char *);
  if (fails_path("opendir", path)) return NULL;
  DIR *folder = real(path);
  if (folder) opened(dirfd(folder), path);
  return folder;
}

/* Ends the list early, as an error of the disk does. */
struct dirent64 *readdir64(DIR *folder) {
  REAL(struct dirent64 *, "readdir64", DIR *);
  return fails_file("readdir", dirfd(folder)) ? NULL : real(folder);
}

int scandir64(const char *path, struct dirent64 ***list, int (*filter)(const struct dirent64 *),
              int (*order)(const struct dirent64 **, const struct dirent64 **)) {
  REAL(int, "scandir64", const char *, struct dirent64 ***, int (*)(const struct dirent64 *),
       int (*)(const struct dirent64 **, const struct dirent64 **));
  return fails_path("opendir", path) ? -1 : real(path, list, filter, order);
}

int closedir(DIR *folder) {
  REAL(int, "closedir", DIR *);
  int number = dirfd(folder);
  if (number >= 0 && number < most_files) places[number] = NULL;
  return real(folder);
}

/* Closed all the same: the system does not say more of a failed close. */
#define CLOSE(real_close)                                     \
  int failing = fails_file("close", file);                    \
  if (file >= 0 && file < most_files) places[file] = NULL;    \
  int result = real_close;                                    \
  if (failing) errno = error;                                 \
  return failing ? -1 : result;

int close(int file) {
  REAL(int, "close", int);
  CLOSE(real(file))
}

/* Node closes and copies files so. */
long syscall(long number, ...) {
  REAL(long, "syscall", long, ...);
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long), d = va_arg(more, long);
  long e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  if (number == SYS_close) {
    int file = (int)a;
    CLOSE((int)real(number, a))
  }
  if (number == SYS_copy_file_range && fails_file("write", (int)c)) return -1;
  return real(number, a, b, c, d, e, f);
}

int fclose(FILE *file) {
  REAL(int, "fclose", FILE *);
  int number = fileno(file), failing = fails_file("fclose", number);
  if (number >= 0 && number < most_files) places[number] = NULL;
  if (failing) __fpurge(file);
  int result = real(file);
  if (failing) errno = error;
  return failing ? EOF : result;
}

#define ON_FILE(type, name, call, failed, parameters, ...)   \
  type name parameters {                                     \
    static type(*real) parameters;                           \
    if (!real) real = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    return fails_file(call, file) ? failed : real(__VA_ARGS__); \
  }
ON_FILE(ssize_t, read, "read", -1, (int file, void *to, size_t size), file, to, size)
ON_FILE(ssize_t, readv, "read", -1, (int file, const struct iovec *to, int count), file, to, count)
ON_FILE(ssize_t, pread, "read", -1, (int file, void *to, size_t size, off_t at), file, to, size, at)
ON_FILE(ssize_t, pread64, "read", -1, (int file, void *to, size_t size, off64_t at), file, to, size, at)
ON_FILE(ssize_t, preadv64, "read", -1, (int file, const struct iovec *to, int count, off64_t at), file, to, count, at)
ON_FILE(ssize_t, write, "write", -1, (int file, const void *from, size_t size), file, from, size)
ON_FILE(ssize_t, writev, "write", -1, (int file, const struct iovec *from, int count), file, from, count)
ON_FILE(ssize_t, pwrite64, "write", -1, (int file, const void *from, size_t size, off64_t at), file, from, size, at)
ON_FILE(ssize_t, pwritev64, "write", -1, (int file, const struct iovec *from, int count, off64_t at), file, from, count, at)
ON_FILE(int, fsync, "fsync", -1, (int file), file)
ON_FILE(int, fdatasync, "fdatasync", -1, (int file), file)
ON_FILE(int, ftruncate64, "ftruncate", -1, (int file, off64_t size), file, size)
ON_FILE(void *, mmap64, "mmap", MAP_FAILED, (void *at, size_t size, int rights, int flags, int file, off64_t from), at, size, rights, flags, file, from)

ssize_t sendfile64(int to, int from, off64_t *at, size_t size) {
  REAL(ssize_t, "sendfile64", int, int, off64_t *, size_t);
  return fails_file("write", to) ? -1 : real(to, from, at, size);
}

/* Macros where the compiler optimizes. */
#undef fread_unlocked
#undef fwrite_unlocked

/* LevelDB asks feof(3) whether a short read is an error: it is none at the end of the file. */
size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file) {
  REAL(size_t, "fread_unlocked", void *, size_t, size_t, FILE *);
  return fails_file("read", fileno(file)) ? 0 : real(to, size, count, file);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *file) {
  REAL(size_t, "fwrite_unlocked", const void *, size_t, size_t, FILE *);
  return fails_file("fwrite", fileno(file)) ? 0 : real(from, size, count, file);
}

/* What was buffered stays so: closing the file writes it. */
int fflush_unlocked(FILE *file) {
  REAL(int, "fflush_unlocked", FILE *);
  return file && fails_file("fflush", fileno(file)) ? EOF : real(file);
}

#define ON_PATH(name, parameters, ...)                       \
  int name parameters {                                      \
    static int(*real) parameters;                            \
    if (!real) real = (int(*) parameters)dlsym(RTLD_NEXT, #name); \
    return fails_path(#name, path) ? -1 : real(__VA_ARGS__); \
  }
ON_PATH(unlink, (const char *path), path)
ON_PATH(rmdir, (const char *path), path)
ON_PATH(mkdir, (const char *path, mode_t mode), path, mode)

#define ON_TWO(name)                                                      \
  int name(const char *from, const char *to) {                            \
    REAL(int, #name, const char *, const char *);                         \
    char place[2 * most_path + 1];                                        \
    if (place_of(from, place)) {                                          \
      strcat(place, ">");                                                 \
      if (place_of(to, place + strlen(place)) && fails(#name, place)) return -1; \
    }                                                                     \
    return real(from, to);                                                \
  }
ON_TWO(rename)
ON_TWO(link)
