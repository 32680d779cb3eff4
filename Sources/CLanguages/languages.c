// The files of the folder 'languages', in the program: C23's '#embed', because the compiler of Swift
// needs twenty seconds for an array of so many bytes.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CLanguages.h"

#define FILE_OF(name, tag) {tag, name, sizeof name}

static const unsigned char ar[] = {
#embed "../../languages/ar.toml"
};
static const unsigned char bg[] = {
#embed "../../languages/bg.toml"
};
static const unsigned char ca[] = {
#embed "../../languages/ca.toml"
};
static const unsigned char cs[] = {
#embed "../../languages/cs.toml"
};
static const unsigned char da[] = {
#embed "../../languages/da.toml"
};
static const unsigned char de[] = {
#embed "../../languages/de.toml"
};
static const unsigned char el[] = {
#embed "../../languages/el.toml"
};
static const unsigned char en[] = {
#embed "../../languages/en.toml"
};
static const unsigned char es[] = {
#embed "../../languages/es.toml"
};
static const unsigned char et[] = {
#embed "../../languages/et.toml"
};
static const unsigned char fa[] = {
#embed "../../languages/fa.toml"
};
static const unsigned char fi[] = {
#embed "../../languages/fi.toml"
};
static const unsigned char fr[] = {
#embed "../../languages/fr.toml"
};
static const unsigned char he[] = {
#embed "../../languages/he.toml"
};
static const unsigned char hi[] = {
#embed "../../languages/hi.toml"
};
static const unsigned char hr[] = {
#embed "../../languages/hr.toml"
};
static const unsigned char hu[] = {
#embed "../../languages/hu.toml"
};
static const unsigned char id[] = {
#embed "../../languages/id.toml"
};
static const unsigned char it[] = {
#embed "../../languages/it.toml"
};
static const unsigned char ja[] = {
#embed "../../languages/ja.toml"
};
static const unsigned char ko[] = {
#embed "../../languages/ko.toml"
};
static const unsigned char lt[] = {
#embed "../../languages/lt.toml"
};
static const unsigned char lv[] = {
#embed "../../languages/lv.toml"
};
static const unsigned char ms[] = {
#embed "../../languages/ms.toml"
};
static const unsigned char nb[] = {
#embed "../../languages/nb.toml"
};
static const unsigned char nl[] = {
#embed "../../languages/nl.toml"
};
static const unsigned char pl[] = {
#embed "../../languages/pl.toml"
};
static const unsigned char pt[] = {
#embed "../../languages/pt.toml"
};
static const unsigned char pt_BR[] = {
#embed "../../languages/pt-BR.toml"
};
static const unsigned char ro[] = {
#embed "../../languages/ro.toml"
};
static const unsigned char ru[] = {
#embed "../../languages/ru.toml"
};
static const unsigned char sk[] = {
#embed "../../languages/sk.toml"
};
static const unsigned char sl[] = {
#embed "../../languages/sl.toml"
};
static const unsigned char sr_Latn[] = {
#embed "../../languages/sr-Latn.toml"
};
static const unsigned char sv[] = {
#embed "../../languages/sv.toml"
};
static const unsigned char th[] = {
#embed "../../languages/th.toml"
};
static const unsigned char tr[] = {
#embed "../../languages/tr.toml"
};
static const unsigned char uk[] = {
#embed "../../languages/uk.toml"
};
static const unsigned char vi[] = {
#embed "../../languages/vi.toml"
};
static const unsigned char zh_Hans[] = {
#embed "../../languages/zh-Hans.toml"
};
static const unsigned char zh_Hant[] = {
#embed "../../languages/zh-Hant.toml"
};

static const struct language_file files[] = {
    FILE_OF(ar, "ar"),
    FILE_OF(bg, "bg"),
    FILE_OF(ca, "ca"),
    FILE_OF(cs, "cs"),
    FILE_OF(da, "da"),
    FILE_OF(de, "de"),
    FILE_OF(el, "el"),
    FILE_OF(en, "en"),
    FILE_OF(es, "es"),
    FILE_OF(et, "et"),
    FILE_OF(fa, "fa"),
    FILE_OF(fi, "fi"),
    FILE_OF(fr, "fr"),
    FILE_OF(he, "he"),
    FILE_OF(hi, "hi"),
    FILE_OF(hr, "hr"),
    FILE_OF(hu, "hu"),
    FILE_OF(id, "id"),
    FILE_OF(it, "it"),
    FILE_OF(ja, "ja"),
    FILE_OF(ko, "ko"),
    FILE_OF(lt, "lt"),
    FILE_OF(lv, "lv"),
    FILE_OF(ms, "ms"),
    FILE_OF(nb, "nb"),
    FILE_OF(nl, "nl"),
    FILE_OF(pl, "pl"),
    FILE_OF(pt, "pt"),
    FILE_OF(pt_BR, "pt-BR"),
    FILE_OF(ro, "ro"),
    FILE_OF(ru, "ru"),
    FILE_OF(sk, "sk"),
    FILE_OF(sl, "sl"),
    FILE_OF(sr_Latn, "sr-Latn"),
    FILE_OF(sv, "sv"),
    FILE_OF(th, "th"),
    FILE_OF(tr, "tr"),
    FILE_OF(uk, "uk"),
    FILE_OF(vi, "vi"),
    FILE_OF(zh_Hans, "zh-Hans"),
    FILE_OF(zh_Hant, "zh-Hant"),
};

const struct language_file *language_file_at(size_t index) {
    return index < sizeof files / sizeof *files ? &files[index] : NULL;
}
