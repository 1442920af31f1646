import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import { problem } from '../../../shared/base/problem.ts';

/** Paths of PEM files: the certificate with its chain, and its private key. */
export type TlsFiles = { certFile: string; keyFile: string };

const lookEveryMs = 10_000;

/**
 * HTTPS with a certificate from files. They are read again when they change, so that one that was renewed is shown to new
 * connections without a restart; a pair that does not fit yet, as half-way through a renewal, is left out until it does.
 * Throws invalid_environment.
 */
export function openTlsServer(
  files: TlsFiles,
  answer: RequestListener,
  { onError, everyMs = lookEveryMs }: { onError(error: unknown): void; everyMs?: number },
): { server: Server; stop(): void } {
  let shown = readFirst(files);
  const server = createServer({ ...shown, minVersion: 'TLSv1.2' }, answer);
  let refused = '';

  function look(): void {
    try {
      const found = readPair(files);
      const text = found.cert + found.key;
      if (text === shown.cert + shown.key || text === refused) return;
      refused = text;
      demandFit(found);
      server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
      shown = found;
    } catch (error) {
      onError(error);
    }
  }

  const timer = setInterval(look, everyMs);
  timer.unref();
  return { server, stop: () => clearInterval(timer) };
}

type Pair = { cert: string; key: string };

function readFirst(files: TlsFiles): Pair {
  try {
    const pair = readPair(files);
    demandFit(pair);
    return pair;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw problem('invalid_environment', `TLS_CERT and TLS_KEY cannot be used: ${reason}.`, { cause: error });
  }
}

function readPair({ certFile, keyFile }: TlsFiles): Pair {
  return { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') };
}

/** OpenSSL refuses a key that belongs to another certificate, but a context without either is fine with it. */
function demandFit(pair: Pair): void {
  if (pair.cert.trim() === '' || pair.key.trim() === '') throw new Error('one of the files is empty');
  createSecureContext(pair);
}
