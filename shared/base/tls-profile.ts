import { z } from 'zod';
import { exactSchemas, requestSchemas } from './option-schema.ts';
import { tlsOptions } from './tls.ts';

/** In OpenSSL's or IANA's name. */
export const {
  version: tlsVersionSchema,
  cipher: cipherNameSchema,
  certificateCompression: certificateCompressionSchema,
} = exactSchemas(tlsOptions);
export type TlsVersion = z.infer<typeof tlsVersionSchema>;

/** TLS properties that the client side of every connection requests. */
export const tlsProfileSchema = z.strictObject(requestSchemas(tlsOptions));
export type TlsProfile = z.infer<typeof tlsProfileSchema>;
/** Properties that a profile can request by name and a server can lack. */
export type TlsField = 'version' | 'cipher' | 'group' | 'certificateCompression';

export const defaultTlsProfile: TlsProfile = tlsProfileSchema.parse({});

/** Agreed parameters of one handshake, read back from the connection. */
export const negotiatedTlsSchema = z.strictObject({
  protocol: z.string(),
  cipher: z.string(),
  /** Key agreement group; null when the library does not say (a resumed connection). */
  group: z.string().nullable(),
  /** Type and size of the server's key, such as `EC P-256` or `RSA 2048`. */
  key: z.string().nullable(),
  alpn: z.string().nullable(),
});
export type NegotiatedTls = z.infer<typeof negotiatedTlsSchema>;
