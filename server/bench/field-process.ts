import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import {
  createServer as createHttp2Server,
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import pg from 'pg';

/** A program that people have in front of their servers or behind them, for `field.ts`: the one that its arguments name. */

const page = 'x'.repeat(1024);

const programs = {
  /** An application over plain HTTP that hashes so many bytes for each request: a megabyte takes about half a millisecond. */
  application(port: string, bytes: string) {
    const hashed = Buffer.alloc(Number(bytes));
    serve(port, (_, response) => {
      createHash('sha1').update(hashed).digest();
      response.end(page);
    });
  },
  /** Asks a database for each request. */
  asker(port: string, databaseUrl: string) {
    const database = new pg.Pool({ connectionString: databaseUrl, max: 4 });
    serve(port, async (_, response) => {
      await database.query('select sum(n) from generate_series(1, 1000) n');
      response.end(page);
    });
  },
  /** Ends each connection after its first response, over HTTP/1.1 in the words of `Connection` that it is given, over HTTP/2 by a goodbye. */
  closer(http: string, https: string, pem: string, how: string) {
    const identity = { cert: readFileSync(pem), key: readFileSync(pem) };
    const saying =
      (words: string): RequestListener =>
      (_, response) =>
        response.setHeader('connection', words).end(page);
    const goodbye = (request: Http2ServerRequest, response: Http2ServerResponse) => {
      response.end(page);
      request.stream.session?.close();
    };
    const isGoodbye = how === 'goodbye';
    const plain = isGoodbye ? createHttp2Server(goodbye) : createServer(saying(how));
    const secure = isGoodbye
      ? createSecureServer(identity, goodbye)
      : createHttpsServer(identity, saying('close, TE'));
    plain.listen(Number(http), '127.0.0.1');
    secure.listen(Number(https), '127.0.0.1');
  },
  /** Writes a response in two parts, over TLS with Nagle's algorithm. */
  halves(http: string, https: string, pem: string) {
    const answer = (socket: Socket) => {
      socket.on('error', () => socket.destroy());
      socket.on('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${page.length}\r\n\r\n`);
        setImmediate(() => socket.write(page));
      });
    };
    const identity = { cert: readFileSync(pem), key: readFileSync(pem) };
    createTcpServer({ noDelay: true }, answer).listen(Number(http), '127.0.0.1');
    createTlsServer(identity, answer).listen(Number(https), '127.0.0.1');
  },
  /** Copies bytes to another port, as `docker-proxy` and `socat` do. */
  copier(port: string, to: string, host = '127.0.0.1') {
    createTcpServer({ noDelay: true }, (client) => {
      const server = connect({ port: Number(to), host, noDelay: true });
      pipeline(client, server, client, () => {});
    }).listen(Number(port), '127.0.0.1');
  },
  /** Sends requests to an address again and again, like another user. */
  async visitor(url: string) {
    for (;;) {
      await (await fetch(url)).text();
      await pause(5);
    }
  },
  /** Computes for 30 ms twice a second, whether anybody asks or not. */
  job() {
    setInterval(() => {
      const until = performance.now() + 30;
      while (performance.now() < until);
    }, 500);
  },
};

export type FieldProgram = keyof typeof programs;

const [name, ...args] = process.argv.slice(2);
(programs[name as FieldProgram] as (...args: string[]) => void)(...args);

function serve(port: string, answer: RequestListener): void {
  const server = createServer(answer).listen(Number(port), '127.0.0.1');
  server.keepAliveTimeout = 600_000;
}
