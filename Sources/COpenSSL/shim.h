#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

// Macros with casts or with several arguments, which Swift does not import.
static inline int shim_public_key_selection(void) { return EVP_PKEY_PUBLIC_KEY; }
static inline EVP_PKEY *shim_rsa_generate(unsigned int bits) { return EVP_RSA_gen(bits); }

// The builder keeps the address of the name, so it must be C's own constant: a Swift string would
// be gone before OSSL_PARAM_BLD_to_param() reads it.
static inline int shim_push_rsa(OSSL_PARAM_BLD *builder, const BIGNUM *n, const BIGNUM *e) {
    return OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1;
}
