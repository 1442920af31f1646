import { once } from 'node:events';
import type { Server } from 'node:net';
import { problem } from '../../../shared/base/problem.ts';

/** Resolves when the server listens. Throws address_in_use, invalid_environment. */
export async function listenAt(
  server: Server,
  { host, port }: { host: string; port: number },
): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw problem('address_in_use', `${host}:${port} is in use by another program.`);
    if (code === 'EACCES') throw problem('address_in_use', `This user may not listen on ${host}:${port}.`);
    throw problem('invalid_environment', `Cannot listen on ${host}:${port}: ${message}.`);
  }
}
