import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** For tests: HTML pages by their paths on a loopback port. */
export type PageServer = { origin: string; close(): void };

/** @param otherwise what every other path answers */
export async function openPageServer(pages: Record<string, string>, otherwise: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(pages[request.url ?? ''] ?? otherwise);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
