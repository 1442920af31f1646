import { once } from 'node:events';
import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { openAuthority } from '../../targets/certificate-authority.ts';

/** A target that knows when it was last spoken to. */
export type StoppedTarget = {
  http: string;
  https: string;
  /** PEM. */
  certificate: string;
  requests(): number;
  connections(): number;
  /** When it got its last byte, or a connection of it ended, in `performance.now()` ms. */
  lastAtMs(): number;
  /** Counts requests anew. */
  forget(): void;
  close(): void;
};

/** Asks as long as it is open. */
const busyPage = `<!doctype html><title>Busy</title><script>
const ask = () => fetch('/').catch(() => {}).finally(() => setTimeout(ask, 20));
for (let each = 0; each < 4; each++) ask();
</script>`;

/** @param directory for its certificate */
export async function startStoppedTarget(directory: string): Promise<StoppedTarget> {
  const { certPem, keyPem } = await openAuthority(directory);
  const open = new Set<Socket>();
  let requests = 0;
  let lastAtMs = 0;
  const touch = () => {
    lastAtMs = performance.now();
  };
  const answer: RequestListener = (request, response) => {
    requests += 1;
    touch();
    response.setHeader('Content-Type', 'text/html');
    response.end(request.url === '/busy' ? busyPage : '<!doctype html><title>Page</title>');
  };
  const servers = [createHttp(answer), createHttps({ cert: certPem, key: keyPem }, answer)];
  for (const server of servers) {
    server.on('connection', (socket: Socket) => {
      open.add(socket);
      touch();
      socket.on('error', () => {});
      socket.once('close', () => {
        open.delete(socket);
        touch();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  const [http = 0, https = 0] = servers.map(portOf);
  return {
    http: `http://127.0.0.1:${http}`,
    https: `https://127.0.0.1:${https}`,
    certificate: certPem,
    requests: () => requests,
    connections: () => open.size,
    lastAtMs: () => lastAtMs,
    forget() {
      requests = 0;
    },
    close() {
      for (const socket of open) socket.destroy();
      for (const server of servers) server.close();
    },
  };
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}
