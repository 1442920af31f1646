import { createServer, type RequestListener, type Server } from 'node:http';
import { openTlsServer, type TlsFiles } from './open-tls-server.ts';

type Listeners = {
  /** What people reach. */
  server: Server;
  /** Plain HTTP for the command line of this machine, which need not know the name in the certificate; null where `server` is that. */
  local: Server | null;
  stop(): void;
};

/** None of them listens yet. Throws invalid_environment. */
export function openListeners(
  tls: TlsFiles | null,
  answer: RequestListener,
  onError: (error: unknown) => void,
): Listeners {
  if (tls === null) return { server: createServer(answer), local: null, stop() {} };
  const local = createServer((request, response) => {
    // No proxy stands in front of it, so whoever says so lies about the address.
    for (const name of forwarded) delete request.headers[name];
    answer(request, response);
  });
  return { ...openTlsServer(tls, answer, { onError }), local };
}

const forwarded = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'];
