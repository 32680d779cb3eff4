// The list of Debian's package 'node-emoji', in the program: C23's '#embed'.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CEmoji.h"

static const unsigned char list[] = {
#embed "/usr/share/nodejs/node-emoji/lib/emoji.json"
};

unsigned char emoji_list_byte(size_t index) {
    return index < sizeof list ? list[index] : 0;
}
