#include <cmark.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Memory that is taken piece by piece and given back at once.
//
// libcmark's functions for memory have no context, so the arena of the call is the thread's. Its own
// arena belongs to the whole process, and no two threads may use it.

typedef struct shim_block {
    struct shim_block *previous;
} shim_block;

typedef struct {
    shim_block *last;
    char *next;
    char *end;
} shim_arena;

// In a function, because Swift emits no variable of a thread otherwise.
static inline shim_arena **shim_current(void) {
    static _Thread_local shim_arena *current = NULL;
    return &current;
}

// Each piece has its size before it.
static inline void *shim_take(size_t size) {
    shim_arena *arena = *shim_current();
    size_t needed = ((size + 7) & ~(size_t)7) + 8;
    if (!arena || needed < size) abort();
    if ((size_t)(arena->end - arena->next) < needed) {
        size_t room = needed > 65536 ? needed : 65536;
        shim_block *block = malloc(sizeof(shim_block) + room);
        if (!block) abort();
        block->previous = arena->last;
        arena->last = block;
        arena->next = (char *)(block + 1);
        arena->end = arena->next + room;
    }
    *(size_t *)arena->next = needed;
    void *piece = arena->next + 8;
    arena->next += needed;
    return piece;
}

static inline void *shim_calloc(size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) abort();
    return memset(shim_take(count * size), 0, count * size);
}

static inline void shim_free(void *piece) {
    shim_arena *arena = *shim_current();
    if (!piece || !arena) return;
    size_t taken = ((size_t *)piece)[-1];
    if ((char *)piece - 8 + taken == arena->next) arena->next = (char *)piece - 8;
}

static inline void *shim_realloc(void *piece, size_t size) {
    if (!piece) return shim_take(size);
    size_t held = ((size_t *)piece)[-1] - 8;
    if (size <= held) return piece;
    shim_free(piece);
    void *moved = shim_take(size);
    if (moved != piece) memcpy(moved, piece, held);
    return moved;
}

// The tree lives in the arena, and is read without further memory.
static inline cmark_node *shim_parse(
    shim_arena *arena, const char *text, size_t size, int options
) {
    shim_arena *outer = *shim_current();
    *shim_current() = arena;
    cmark_mem *memory = shim_take(sizeof(cmark_mem));
    *memory = (cmark_mem){shim_calloc, shim_realloc, shim_free};
    cmark_parser *parser = cmark_parser_new_with_mem(options, memory);
    cmark_parser_feed(parser, text, size);
    cmark_node *tree = cmark_parser_finish(parser);
    *shim_current() = outer;
    return tree;
}

static inline void shim_release(shim_arena *arena) {
    shim_block *block = arena->last;
    while (block) {
        shim_block *previous = block->previous;
        free(block);
        block = previous;
    }
    arena->last = NULL;
    arena->next = arena->end = NULL;
}
