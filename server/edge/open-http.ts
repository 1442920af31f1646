import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import type { Logger } from 'pino';
import type { OwnListener } from '../base/addresses/own-listeners.ts';
import { listenAt } from '../base/process/listen-at.ts';
import { openListeners } from '../base/process/open-listeners.ts';
import { ownListenersOf } from '../base/process/own-listeners-of.ts';
import type { Config } from './config.ts';

type Http = {
  /** What people reach. */
  server: Server;
  /** Throws address_in_use, invalid_environment. */
  listen(): Promise<void>;
  /** The rest is known once it listens. */
  url(): string;
  /** For programs on this machine: plain HTTP, whatever the certificate says. */
  localUrl(): string;
  own(): OwnListener[];
  /** Until then every request waits. */
  answerWith(app: Express): void;
  /** Whoever is connected stays so. */
  takeNoMore(): void;
  close(): Promise<void>;
  /** Looks for a new certificate no more. */
  stop(): void;
};

const loopback = '127.0.0.1';

/** What is listened on: for people, and where that is HTTPS also for the command line. Throws invalid_environment. */
export function openHttp({ host, port, tls }: Pick<Config, 'host' | 'port' | 'tls'>, logger: Logger): Http {
  const app = Promise.withResolvers<Express>();
  const answer: RequestListener = (request, response) =>
    void app.promise.then((serve) => serve(request, response));
  const { server, local, stop } = openListeners(tls, answer, (error) =>
    logger.error(error, 'TLS_CERT and TLS_KEY cannot be used; the previous certificate stays in use'),
  );
  const listening: { server: Server; closed: Promise<unknown> }[] = [];
  async function listen(each: Server, at: { host: string; port: number }): Promise<void> {
    await listenAt(each, at);
    listening.push({ server: each, closed: new Promise((resolve) => each.once('close', resolve)) });
  }
  const url = () => urlOf(server, host, tls === null ? 'http' : 'https');
  return {
    server,
    async listen() {
      await listen(server, { host, port });
      if (local !== null) await listen(local, { host: loopback, port: 0 });
    },
    url,
    localUrl: () => (local === null ? url() : urlOf(local, loopback, 'http')),
    own: () => listening.flatMap((each) => ownListenersOf(each.server)),
    answerWith: app.resolve,
    takeNoMore() {
      for (const each of listening) each.server.close();
    },
    async close() {
      for (const each of listening) {
        each.server.close();
        each.server.closeAllConnections();
      }
      await Promise.all(listening.map(({ closed }) => closed));
    },
    stop,
  };
}

function urlOf(server: Server, host: string, scheme: 'http' | 'https'): string {
  const { port } = server.address() as AddressInfo;
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
