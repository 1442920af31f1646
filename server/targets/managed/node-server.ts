import cluster from 'node:cluster';
import { constants, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import {
  createServer as createHttp,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createHttp2,
  createSecureServer as createSecureHttp2,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer as createHttps } from 'node:https';
import { basename, join } from 'node:path';
import { TLSSocket, type TlsOptions } from 'node:tls';
import { agreedHeader, witnessHeader, witnessPath } from './tls-settings.ts';

/**
 * A process of its own: the managed server `node`. Its arguments are the path of its settings and, where it was started as
 * root, the user and group to become. Nothing of it answers to the program that is measured with it.
 */

export type NodeSettings = {
  address: string;
  port: number;
  httpVersion: '1.1' | '2';
  workers: number;
  documents: string;
  /** How long an idle connection is kept; null to close each after its response. */
  keepAliveMs: number | null;
  tls: {
    identity: string;
    ciphers: string;
    groups: string;
    resumption: boolean;
    /** Authority of clients, which then have to present a certificate. */
    clientAuthority: string | null;
    certificateCompression?: ('zlib' | 'brotli' | 'zstd')[];
  } | null;
};

type Request = IncomingMessage | Http2ServerRequest;
type Response = ServerResponse & Http2ServerResponse;

const [settingsPath = '', user, group] = process.argv.slice(2);
const settings = JSON.parse(readFileSync(settingsPath, 'utf8')) as NodeSettings;
if (settings.workers > 1 && cluster.isPrimary) {
  // Workers resume each other's sessions.
  const TICKET_KEYS = randomBytes(48).toString('base64');
  for (let worker = 0; worker < settings.workers; worker++) cluster.fork({ TICKET_KEYS });
  cluster.on('exit', (_, code) => {
    // Without a primary, they would complain after the one that had a reason.
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
    process.exit(code || 1);
  });
  dropRoot();
} else {
  dropRoot();
  listen(settings);
}

/** Workers were executed by then: another user may not be able to read Node's own file. */
function dropRoot(): void {
  if (group === undefined) return;
  process.setgroups?.([]);
  process.setgid?.(Number(group));
  process.setuid?.(Number(user));
}

function listen({ address, port, httpVersion, keepAliveMs, documents, tls }: NodeSettings): void {
  const pages = new Map(
    readdirSync(documents).map((name) => [`/${basename(name)}`, readFileSync(join(documents, name))]),
  );
  const answer = (request: Request, response: Response) => {
    const page = pages.get(request.url ?? '');
    if (keepAliveMs === null && httpVersion === '1.1') response.setHeader('Connection', 'close');
    if (page === undefined) {
      if (request.url === witnessPath) {
        response.setHeader(witnessHeader, isResumed(request) ? '1' : '0');
        response.setHeader(agreedHeader, agreedBy(request));
      }
      return response.writeHead(404).end();
    }
    response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Length': page.length });
    return response.end(page);
  };
  const server = createServer(httpVersion, tls, answer as never);
  if ('keepAliveTimeout' in server) {
    (server as Server).keepAliveTimeout = keepAliveMs ?? 0;
    (server as Server).requestTimeout = 0;
  }
  // The last lines of a log are what is quoted, and a stack has its reason in the first.
  server.on('error', ({ message }: Error) => {
    process.stderr.write(`${message}\n`);
    process.exit(1);
  });
  server.listen({ host: address, port });
}

function isResumed({ socket }: Request): boolean {
  return socket instanceof TLSSocket && socket.isSessionReused();
}

/** Node says the group to clients only. */
function agreedBy({ socket }: Request): string {
  return socket instanceof TLSSocket ? `${socket.getProtocol()} ${socket.getCipher().standardName}` : '';
}

function createServer(
  version: NodeSettings['httpVersion'],
  tls: NodeSettings['tls'],
  answer: () => void,
): Server | ReturnType<typeof createHttp2> | ReturnType<typeof createSecureHttp2> {
  const options = tls === null ? null : tlsOptions(tls);
  if (version === '2') {
    return options === null
      ? createHttp2(answer)
      : createSecureHttp2({ ...options, allowHTTP1: false }, answer);
  }
  return options === null ? createHttp({ noDelay: true }, answer) : createHttps(options, answer);
}

function tlsOptions({
  identity,
  ciphers,
  groups,
  resumption,
  clientAuthority,
  certificateCompression,
}: NonNullable<NodeSettings['tls']>): TlsOptions {
  const pem = readFileSync(identity);
  const { TICKET_KEYS } = process.env;
  return {
    ...{ cert: pem, key: pem, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.3' },
    // Node leaves out the suites of TLS 1.3 that a list does not name.
    ciphers: `TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:${ciphers}`,
    ecdhCurve: groups,
    honorCipherOrder: false,
    ...(certificateCompression === undefined ? {} : { certificateCompression }),
    secureOptions: resumption ? 0 : constants.SSL_OP_NO_TICKET,
    ...(clientAuthority === null
      ? {}
      : { ca: readFileSync(clientAuthority), requestCert: true, rejectUnauthorized: true }),
    ...(TICKET_KEYS === undefined ? {} : { ticketKeys: Buffer.from(TICKET_KEYS, 'base64') }),
  };
}
