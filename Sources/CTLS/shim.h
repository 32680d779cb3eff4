#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

// Macros with casts or with several arguments, which Swift does not import.
static inline int shim_require_tls12(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1;
}
static inline int shim_add_chain_certificate(SSL_CTX *context, X509 *certificate) {
    return SSL_CTX_add0_chain_cert(context, certificate) == 1;
}
static inline int shim_send_host_name(SSL *session, const char *name) {
    return SSL_set_tlsext_host_name(session, name) == 1;
}
