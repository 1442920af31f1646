import { z } from 'zod';

/** In OpenSSL's or IANA's name. */
export const cipherNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,80}$/, 'a cipher suite is one name, such as TLS_AES_128_GCM_SHA256');

export const tlsVersionSchema = z.enum(['TLSv1.3', 'TLSv1.2']);
export type TlsVersion = z.infer<typeof tlsVersionSchema>;

/** What the client side of every TLS connection asks for. What is null is not asked for: both ends agree on the best that they speak. */
export const tlsProfileSchema = z.strictObject({
  version: tlsVersionSchema.nullable().default(null),
  /**
   * `none`: every handshake is full. `tickets`: a new connection resumes the session of an earlier one.
   * `mix`: a share of the new connections does, as returning visitors do.
   */
  resumption: z.enum(['none', 'tickets', 'mix']).default('none'),
  /** Share of the new connections that resume; counts with `mix` only. */
  resumedShare: z.number().min(0).max(1).default(0.7),
  /** The one suite to offer; null for the library's own list. */
  cipher: cipherNameSchema.nullable().default(null),
  /** The one key agreement group to offer, such as X25519 or X25519MLKEM768; null for the library's own list. */
  group: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,60}$/, 'a group is one name, such as X25519')
    .nullable()
    .default(null),
  /** Whether the certificate is checked. Not checking it saves the client work, never the server. */
  verify: z.boolean().default(true),
});
export type TlsProfile = z.infer<typeof tlsProfileSchema>;
/** What a profile can ask for by name, and a server can lack. */
export const tlsFieldSchema = z.enum(['version', 'cipher', 'group']);
export type TlsField = z.infer<typeof tlsFieldSchema>;

export const defaultTlsProfile: TlsProfile = tlsProfileSchema.parse({});

/** What one handshake agreed on, read back from the connection. */
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
