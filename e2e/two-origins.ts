import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp, type RequestListener } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAuthority } from '../server/targets/certificates/certificate-authority.ts';

/** A small application of somebody else, over http and https, whose https side can be spoilt. */
export type TwoOrigins = {
  http: string;
  https: string;
  /** PEM of the authority that signed the certificate of the https side. */
  ca: string;
  /** A second listener like the http one; its address. */
  openTwin(): Promise<string>;
  /** From now on the https side shows another certificate, of another authority. */
  changeCertificate(): Promise<void>;
  /** From now on the https side answers 500. */
  breakHttps(): void;
  /** From now on nothing listens for https. */
  closeHttps(): Promise<void>;
  close(): Promise<void>;
};

export async function startTwoOrigins(): Promise<TwoOrigins> {
  const { caPem, certPem, keyPem } = await newAuthority();
  let broken = false;
  const http = createHttp(answer(() => 200));
  const https = createHttps(
    { cert: certPem, key: keyPem },
    answer(() => (broken ? 500 : 200)),
  );
  const twin = createHttp(answer(() => 200));
  const [httpPort, httpsPort] = await Promise.all([listen(http), listen(https)]);
  return {
    http: `http://127.0.0.1:${httpPort}`,
    https: `https://127.0.0.1:${httpsPort}`,
    ca: caPem,
    openTwin: async () => `http://127.0.0.1:${await listen(twin)}`,
    async changeCertificate() {
      const { certPem: cert, keyPem: key } = await newAuthority();
      https.setSecureContext({ cert, key });
    },
    breakHttps() {
      broken = true;
    },
    closeHttps: () => close(https),
    async close() {
      await Promise.all([http, https, twin].filter((server) => server.listening).map(close));
    },
  };
}

async function newAuthority() {
  const directory = await mkdtemp(join(tmpdir(), 'tls-toll-e2e-ca-'));
  const authority = await openAuthority(directory);
  await rm(directory, { recursive: true });
  return authority;
}

const page = `<!doctype html><title>Shop</title>${'<p>The same words on both sides.</p>'.repeat(800)}`;

/** Paths that are not what a run can be made of. */
const odd: Record<string, number> = { '/missing': 404, '/moved': 301, '/broken': 500 };

/** Breaks between transactions only: a transaction that began well ends well, so that all failures are of one kind. */
function answer(statusOfFirstStep: () => number): RequestListener {
  return (request, response) => {
    response.statusCode = request.url === '/' ? statusOfFirstStep() : (odd[request.url ?? ''] ?? 200);
    if (response.statusCode === 301) response.setHeader('location', '/');
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(page);
  };
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function close(server: ReturnType<typeof createHttp>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
