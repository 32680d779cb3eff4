#include <curl/curl.h>

// Wrappers around curl_easy_setopt() and curl_easy_getinfo(), which are variadic functions
// that can't be used from Swift.
static inline CURLcode shim_setopt_long(CURL *curl, CURLoption option, long value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode shim_setopt_string(CURL *curl, CURLoption option, const char *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode shim_setopt_pointer(CURL *curl, CURLoption option, void *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode shim_setopt_list(CURL *curl, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode shim_setopt_write(CURL *curl, CURLoption option, curl_write_callback value) {
    return curl_easy_setopt(curl, option, value);
}
static inline CURLcode shim_response_code(CURL *curl, long *code) {
    return curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, code);
}
static inline CURLcode shim_setopt_opensocket(CURL *curl, CURLoption option, curl_opensocket_callback value) {
    return curl_easy_setopt(curl, option, value);
}
// Replaces the machine's own file and folder of certificates.
static inline CURLcode shim_setopt_authorities(CURL *curl, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
    CURLcode result = curl_easy_setopt(curl, CURLOPT_CAINFO_BLOB, &blob);
    return result == CURLE_OK ? curl_easy_setopt(curl, CURLOPT_CAPATH, NULL) : result;
}
