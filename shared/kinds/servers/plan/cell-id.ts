import type { CellSettings } from '../servers.ts';

/** The levels of a cell, in one word: no two cells share it. */
export function cellId({
  server,
  protocol,
  cipher,
  key,
  keepAlive,
  resumption,
  clientCertificates,
  kTls,
  concurrency,
  document,
}: CellSettings): string {
  return [
    server,
    protocol === 'TLSv1.3' ? 'tls13' : 'tls12',
    plain(cipher ?? 'any'),
    plain(key),
    keepAlive ? 'keepalive' : resumption ? 'resumed' : 'full',
    ...(clientCertificates ? ['mtls'] : []),
    ...(kTls ? ['ktls'] : []),
    `c${concurrency}`,
    document,
  ].join('-');
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('-', '');
}
