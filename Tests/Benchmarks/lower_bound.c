// The least work of a site generator: reads pages, turns them into HTML with libcmark, and writes them.
//
//   lower_bound FOLDER BYTES THREADS <list    FOLDER/0.html, FOLDER/1.html, …, each of BYTES or more
#define _POSIX_C_SOURCE 200809L
#include <cmark.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char **pages;
static int count;
static atomic_int next;
static const char *folder;
static char *frame;
static size_t bytes;

static void stop(const char *path) {
    perror(path);
    exit(1);
}

static void *work(void *unused) {
    for (int number; (number = atomic_fetch_add(&next, 1)) < count;) {
        FILE *page = fopen(pages[number], "r");
        if (!page || fseek(page, 0, SEEK_END)) stop(pages[number]);
        size_t size = (size_t)ftell(page);
        char *markdown = malloc(size + 1);
        rewind(page);
        if (fread(markdown, 1, size, page) != size) stop(pages[number]);
        fclose(page);
        char *html = cmark_markdown_to_html(markdown, size, CMARK_OPT_DEFAULT);
        size_t length = strlen(html);
        char path[4096];
        snprintf(path, sizeof path, "%s/%d.html", folder, number);
        FILE *file = fopen(path, "w");
        if (!file) stop(path);
        // What a template and the navigation would add.
        if (length < bytes) fwrite(frame, 1, bytes - length, file);
        fwrite(html, 1, length, file);
        if (fclose(file)) stop(path);
        free(html);
        free(markdown);
    }
    return unused;
}

int main(int arguments, char **values) {
    if (arguments != 4) return 64;
    folder = values[1];
    bytes = (size_t)atol(values[2]);
    frame = malloc(bytes + 1);
    memset(frame, ' ', bytes);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, stdin)) > 0;) {
        line[length - 1] = 0;
        pages = realloc(pages, (size_t)(count + 1) * sizeof *pages);
        pages[count++] = strdup(line);
    }
    pthread_t threads[64];
    int wanted = atoi(values[3]) < 64 ? atoi(values[3]) : 64;
    for (int number = 0; number < wanted; number++) pthread_create(&threads[number], NULL, work, NULL);
    for (int number = 0; number < wanted; number++) pthread_join(threads[number], NULL);
}
