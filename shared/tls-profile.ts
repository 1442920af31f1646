import { z } from 'zod';

/** What the client side of every TLS connection asks for. */
export const tlsProfileSchema = z.strictObject({
  version: z.enum(['TLSv1.3', 'TLSv1.2']).default('TLSv1.3'),
  /** `tickets`: a new connection resumes the session of an earlier one. `none`: every handshake is full. */
  resumption: z.enum(['none', 'tickets']).default('none'),
});
export type TlsProfile = z.infer<typeof tlsProfileSchema>;
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
