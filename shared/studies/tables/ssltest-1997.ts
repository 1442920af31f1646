/**
 * SSLeay's `ssltest`: both ends of the protocol in one process, through a memory buffer without sockets or kernel. User
 * time of 1,000 connections; the payload goes from client to server and back, so each byte is encrypted and decrypted
 * twice. No certificate is verified.
 */
export type SsltestRow = {
  protocol: 'SSLv2' | 'SSLv3';
  cipher: string;
  rsaBits: number;
  bytesEachWay: number;
  /** User time of 1,000 connections, each with a full handshake. */
  fullS: number;
  /** The same when all but the first resume its session. */
  resumedS: number;
};

export const ssltestConnections = 1000;

export const ssltest1997Rows: readonly SsltestRow[] = [
  { protocol: 'SSLv2', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 1, fullS: 12.83, resumedS: 0.7 },
  { protocol: 'SSLv3', cipher: 'NULL-MD5', rsaBits: 512, bytesEachWay: 1, fullS: 14.35, resumedS: 1.47 },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 1, fullS: 14.46, resumedS: 1.56 },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 1024, bytesEachWay: 1, fullS: 51.93, resumedS: 1.62 },
  { protocol: 'SSLv3', cipher: 'RC4-SHA', rsaBits: 512, bytesEachWay: 1, fullS: 14.61, resumedS: 1.83 },
  { protocol: 'SSLv3', cipher: 'DES-CBC-SHA', rsaBits: 512, bytesEachWay: 1, fullS: 14.7, resumedS: 1.89 },
  { protocol: 'SSLv3', cipher: 'DES-CBC3-SHA', rsaBits: 512, bytesEachWay: 1, fullS: 15.16, resumedS: 2.16 },
  { protocol: 'SSLv2', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 1024, fullS: 13.72, resumedS: 1.27 },
  { protocol: 'SSLv3', cipher: 'NULL-MD5', rsaBits: 512, bytesEachWay: 1024, fullS: 14.79, resumedS: 1.92 },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 1024, bytesEachWay: 1024, fullS: 52.58, resumedS: 2.29 },
  { protocol: 'SSLv3', cipher: 'RC4-SHA', rsaBits: 512, bytesEachWay: 1024, fullS: 15.39, resumedS: 2.67 },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC-SHA',
    rsaBits: 512,
    bytesEachWay: 1024,
    fullS: 16.45,
    resumedS: 3.55,
  },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC3-SHA',
    rsaBits: 512,
    bytesEachWay: 1024,
    fullS: 18.21,
    resumedS: 5.38,
  },
  { protocol: 'SSLv2', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 10240, fullS: 18.97, resumedS: 6.52 },
  { protocol: 'SSLv3', cipher: 'NULL-MD5', rsaBits: 512, bytesEachWay: 10240, fullS: 17.79, resumedS: 5.11 },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 10240, fullS: 20.25, resumedS: 7.9 },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 1024, bytesEachWay: 10240, fullS: 58.26, resumedS: 8.08 },
  { protocol: 'SSLv3', cipher: 'RC4-SHA', rsaBits: 512, bytesEachWay: 10240, fullS: 22.96, resumedS: 11.44 },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC-SHA',
    rsaBits: 512,
    bytesEachWay: 10240,
    fullS: 30.65,
    resumedS: 18.41,
  },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC3-SHA',
    rsaBits: 512,
    bytesEachWay: 10240,
    fullS: 47.04,
    resumedS: 34.53,
  },
  { protocol: 'SSLv2', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 102400, fullS: 70.22, resumedS: 57.74 },
  {
    protocol: 'SSLv3',
    cipher: 'NULL-MD5',
    rsaBits: 512,
    bytesEachWay: 102400,
    fullS: 43.73,
    resumedS: 31.03,
  },
  { protocol: 'SSLv3', cipher: 'RC4-MD5', rsaBits: 512, bytesEachWay: 102400, fullS: 71.32, resumedS: 58.83 },
  {
    protocol: 'SSLv3',
    cipher: 'RC4-MD5',
    rsaBits: 1024,
    bytesEachWay: 102400,
    fullS: 109.66,
    resumedS: 59.2,
  },
  { protocol: 'SSLv3', cipher: 'RC4-SHA', rsaBits: 512, bytesEachWay: 102400, fullS: 95.88, resumedS: 82.21 },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC-SHA',
    rsaBits: 512,
    bytesEachWay: 102400,
    fullS: 173.22,
    resumedS: 160.55,
  },
  {
    protocol: 'SSLv3',
    cipher: 'DES-CBC3-SHA',
    rsaBits: 512,
    bytesEachWay: 102400,
    fullS: 336.61,
    resumedS: 323.82,
  },
];

/** Connections a second that one core makes when it does nothing else, both ends counted. */
export function connectionsPerS(userS: number): number {
  return ssltestConnections / userS;
}
