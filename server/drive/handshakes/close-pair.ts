import type { Duplex } from 'node:stream';

/**
 * Closes both ends of a pair in memory; resolves when the server's is closed. A turn of the loop goes first: what is
 * being written is written then, and a write that is cut off would cost an error for every connection.
 */
export function closePair(client: Duplex, server: Duplex): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(() => {
      // An error has closed it already.
      if (server.closed) resolve();
      else server.once('close', () => resolve());
      client.destroy();
      server.destroy();
    });
  });
}
