import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync } from 'node:zlib';
import type { Listener } from '../../shared/target/target.ts';

type LoggedRequest = {
  path: string;
  acceptEncoding: string;
  ifNoneMatch: string | null;
  status: number;
};
export type Origin = {
  listener: Listener;
  /** The browser's requests, in order, without that for its favicon. */
  log: LoggedRequest[];
  close(): Promise<void>;
};

/** `/leads-to?url=…` redirects, `/embeds?url=…` shows a picture from there; `/silent` never answers. */
const bodies: Record<string, { type: string; cacheControl: string; body: string }> = {
  '/': {
    type: 'text/html',
    cacheControl: 'no-cache',
    body: page('/app.css', '/checked.js', '/logo.svg?v=2'),
  },
  '/more': { type: 'text/html', cacheControl: 'no-cache', body: page('/app.css', '/checked.js') },
  '/account': { type: 'text/html', cacheControl: 'no-store', body: page('/app.css') },
  '/leaky': { type: 'text/html', cacheControl: 'max-age=600', body: page('/app.css') },
  '/app.css': { type: 'text/css', cacheControl: 'max-age=600', body: 'body { color: #123 }' },
  '/checked.js': { type: 'text/javascript', cacheControl: 'no-cache', body: `// ${'x'.repeat(3000)}` },
  '/logo.svg': {
    type: 'image/svg+xml',
    cacheControl: 'max-age=600',
    body: '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>',
  },
};

/** Serves the same application over http, or over https under the certificate given, with files of every kind of caching. */
export async function serveOrigin(
  hostname: string,
  identity: { cert: string; key: string } | null,
): Promise<Origin> {
  const log: LoggedRequest[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse) => {
    respond(request, response);
    if (request.url !== '/favicon.ico') log.push(logged(request, response.statusCode));
  };
  const server = identity === null ? createHttpServer(answer) : createHttpsServer(identity, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    listener: {
      arm: identity === null ? 'baseline' : 'comparison',
      transport: identity === null ? 'http' : 'https',
      hostname,
      address: '127.0.0.1',
      port,
      ca: null,
      pid: null,
    },
    log,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function respond(request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://origin.test');
  if (pathname === '/silent') return;
  if (pathname === '/leads-to') {
    response.writeHead(302, { location: searchParams.get('url') ?? '/' }).end();
    return;
  }
  if (pathname === '/embeds') {
    response.setHeader('content-type', 'text/html').end(page(searchParams.get('url') ?? '/'));
    return;
  }
  const found = bodies[pathname];
  if (found === undefined) {
    response.writeHead(404, { 'cache-control': 'no-store' }).end();
    return;
  }
  const offered = String(request.headers['accept-encoding'] ?? '');
  const etag = '"1"';
  response.setHeader('cache-control', found.cacheControl).setHeader('etag', etag);
  if (request.headers['if-none-match'] === etag) {
    response.writeHead(304).end();
    return;
  }
  response.setHeader('content-type', found.type);
  if (found.type === 'text/css' && offered.includes('br')) {
    response.setHeader('content-encoding', 'br').setHeader('vary', 'accept-encoding');
    response.end(brotliCompressSync(found.body));
  } else {
    response.end(found.body);
  }
}

function logged(request: IncomingMessage, status: number): LoggedRequest {
  return {
    path: request.url ?? '',
    acceptEncoding: String(request.headers['accept-encoding'] ?? ''),
    ifNoneMatch: request.headers['if-none-match'] ?? null,
    status,
  };
}

function page(...resources: string[]): string {
  const elements = resources.map((path) => {
    if (path.endsWith('.css')) return `<link rel="stylesheet" href="${path}">`;
    return path.endsWith('.js') ? `<script src="${path}"></script>` : `<img src="${path}" alt="">`;
  });
  return `<!doctype html><title>shop</title>${elements.join('')}`;
}
