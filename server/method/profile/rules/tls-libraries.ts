import { type CostRule, rulesOf } from './cost-rule.ts';

/** Exported functions of OpenSSL, BoringSSL, and GnuTLS with Nettle and GMP, and internal ones where a build keeps their names. */
export const tlsLibraryRules: readonly CostRule[] = [
  ...rulesOf('OpenSSL', {
    encryption: `
      EVP_EncryptUpdate*, EVP_DecryptUpdate*, EVP_CipherUpdate*, EVP_Cipher, EVP_EncryptFinal*,
      EVP_DecryptFinal*, EVP_CipherFinal*, EVP_CIPHER_CTX_*, EVP_EncryptInit*, EVP_DecryptInit*,
      EVP_CipherInit*, CRYPTO_gcm128_*, CRYPTO_ctr128_*, CRYPTO_cbc128_*, gcm_*, ossl_gcm_*, aesni_*,
      aes_gcm_*, aes_v8_*, ossl_aes_gcm_*, ossl_vaes_*, ossl_cipher_*, vpaes_*, ChaCha20_*, chacha20_*,
      poly1305_*, Poly1305_*, generic_aes_*, AES_*, aes_*
    `,
    keyAgreement: `
      EVP_PKEY_*, ECDH_*, X25519*, ossl_x25519*, x25519_*, DH_*, dh_*, ossl_dh_*, EVP_EncapsulateInit*, RAND_*,
      mlkem_*, ossl_ml_kem_*, ossl_ecdh_*, ecdh_*
    `,
    signature: `
      EVP_PKEY_sign*, EVP_PKEY_verify*, EVP_DigestSign*, EVP_DigestVerify*, EVP_Sign*, EVP_Verify*, ECDSA_*,
      ossl_ecdsa_*, ecdsa_*, RSA_*, rsa_*, ossl_rsa_*, ED25519_*, ossl_ml_dsa_*, X509_verify*
    `,
    arithmetic: 'EVP_PKEY_CTX_*, EC_*, BN_*, bn_*, ec_*, ecp_*, ossl_ec_*, ossl_bn_*, fe51_*, ge_*, fe_*',
    hashing: `
      EVP_Digest, EVP_DigestInit*, EVP_DigestUpdate*, EVP_DigestFinal*, EVP_MD_*, EVP_MAC_*, EVP_KDF_*,
      EVP_Q_*, HMAC*, SHA1_*, SHA256_*, SHA512_*, SHA3_*, KeccakF1600*, sha1_*, sha256_*, sha512_*,
      ossl_sha3_*, HKDF*, bssl::SSLTranscript::*
    `,
    memory: 'CRYPTO_malloc*, CRYPTO_zalloc*, CRYPTO_free*, CRYPTO_clear_free*, CRYPTO_realloc*',
    tls: `
      SSL_*, BIO_*, ERR_*, OPENSSL_*, CRYPTO_*, ssl_*, ssl3_*, tls_*, tls13_*, ossl_*, EVP_*, X509_*,
      ASN1_*, i2d_*, d2i_*, OSSL_*, WPACKET_*
    `,
  }),
  ...rulesOf('BoringSSL', {
    encryption: 'EVP_AEAD_CTX_*, aead_aes_gcm_*, aead_chacha20_*, bssl::SSLAEADContext::*, aes_hw_*',
    keyAgreement: 'bssl::SSLKeyShare::*, MLKEM*, bcm_mlkem*',
    signature: 'bssl::ssl_private_key_*',
    arithmetic: 'GFp_*, fiat_*',
    tls: 'bssl::*, CBB_*, CBS_*',
  }),
  ...rulesOf('GnuTLS', {
    encryption: 'gnutls_aead_*, gnutls_cipher_*, _gnutls_aead_*, nettle_gcm_*, nettle_aes*, nettle_chacha*',
    keyAgreement: '_gnutls_ecdh_*, nettle_curve25519_*, nettle_ecc_point_mul*',
    signature: 'gnutls_privkey_*, gnutls_pubkey_*, nettle_ecdsa_*, nettle_rsa_*',
    arithmetic: '_gnutls_pk_*, __gmpn_*, nettle_ecc_*',
    hashing: 'gnutls_hash*, gnutls_hmac*, _gnutls_hash*, nettle_sha*',
    tls: 'gnutls_*, _gnutls_*',
  }),
];
