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
  ...rowsOf(1, [
    ['SSLv2', 'RC4-MD5', 512, 12.83, 0.7],
    ['SSLv3', 'NULL-MD5', 512, 14.35, 1.47],
    ['SSLv3', 'RC4-MD5', 512, 14.46, 1.56],
    ['SSLv3', 'RC4-MD5', 1024, 51.93, 1.62],
    ['SSLv3', 'RC4-SHA', 512, 14.61, 1.83],
    ['SSLv3', 'DES-CBC-SHA', 512, 14.7, 1.89],
    ['SSLv3', 'DES-CBC3-SHA', 512, 15.16, 2.16],
  ]),
  ...rowsOf(1024, [
    ['SSLv2', 'RC4-MD5', 512, 13.72, 1.27],
    ['SSLv3', 'NULL-MD5', 512, 14.79, 1.92],
    ['SSLv3', 'RC4-MD5', 1024, 52.58, 2.29],
    ['SSLv3', 'RC4-SHA', 512, 15.39, 2.67],
    ['SSLv3', 'DES-CBC-SHA', 512, 16.45, 3.55],
    ['SSLv3', 'DES-CBC3-SHA', 512, 18.21, 5.38],
  ]),
  ...rowsOf(10_240, [
    ['SSLv2', 'RC4-MD5', 512, 18.97, 6.52],
    ['SSLv3', 'NULL-MD5', 512, 17.79, 5.11],
    ['SSLv3', 'RC4-MD5', 512, 20.25, 7.9],
    ['SSLv3', 'RC4-MD5', 1024, 58.26, 8.08],
    ['SSLv3', 'RC4-SHA', 512, 22.96, 11.44],
    ['SSLv3', 'DES-CBC-SHA', 512, 30.65, 18.41],
    ['SSLv3', 'DES-CBC3-SHA', 512, 47.04, 34.53],
  ]),
  ...rowsOf(102_400, [
    ['SSLv2', 'RC4-MD5', 512, 70.22, 57.74],
    ['SSLv3', 'NULL-MD5', 512, 43.73, 31.03],
    ['SSLv3', 'RC4-MD5', 512, 71.32, 58.83],
    ['SSLv3', 'RC4-MD5', 1024, 109.66, 59.2],
    ['SSLv3', 'RC4-SHA', 512, 95.88, 82.21],
    ['SSLv3', 'DES-CBC-SHA', 512, 173.22, 160.55],
    ['SSLv3', 'DES-CBC3-SHA', 512, 336.61, 323.82],
  ]),
];

type Figures = readonly [
  protocol: SsltestRow['protocol'],
  cipher: string,
  rsaBits: number,
  fullS: number,
  resumedS: number,
];

/** Of one payload. */
function rowsOf(bytesEachWay: number, rows: readonly Figures[]): SsltestRow[] {
  return rows.map(([protocol, cipher, rsaBits, fullS, resumedS]) => ({
    ...{ protocol, cipher, rsaBits, bytesEachWay, fullS, resumedS },
  }));
}

/** Of SSLv3 with RC4-MD5. */
export function rc4Row(rsaBits: number, bytesEachWay: number): SsltestRow {
  const row = ssltest1997Rows.find(
    (each) =>
      each.protocol === 'SSLv3' &&
      each.cipher === 'RC4-MD5' &&
      each.rsaBits === rsaBits &&
      each.bytesEachWay === bytesEachWay,
  );
  if (row === undefined) throw new Error(`no row for ${rsaBits} bits and ${bytesEachWay} bytes`);
  return row;
}

/** Connections a second that one core makes when it does nothing else, both ends counted. */
export function connectionsPerS(userS: number): number {
  return ssltestConnections / userS;
}
