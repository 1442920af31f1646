import { createServer, type RequestListener, type Server } from 'node:http';
import { openTlsServer, type TlsFiles } from './open-tls-server.ts';

export type Listeners = {
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
  onFault: (error: unknown) => void,
): Listeners {
  if (tls === null) return { server: createServer(answer), local: null, stop() {} };
  return { ...openTlsServer(tls, answer, { onFault }), local: createServer(answer) };
}
