import { createServer, type RequestListener } from 'node:http';
import { connect, createServer as createTcpServer } from 'node:net';
import { pipeline } from 'node:stream';
import pg from 'pg';

/** A program that people have in front of their servers or behind them, for `field.ts`: the one that its arguments name. */

const page = 'x'.repeat(1024);

const programs = {
  /** An application over plain HTTP that computes so long for each request. */
  application(port: string, cpuMs: string) {
    serve(port, (_, response) => {
      const until = performance.now() + Number(cpuMs);
      while (performance.now() < until);
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
  /** Copies bytes to another port, as `docker-proxy` and `socat` do. */
  copier(port: string, to: string) {
    createTcpServer({ noDelay: true }, (client) => {
      const server = connect({ port: Number(to), host: '127.0.0.1', noDelay: true });
      pipeline(client, server, client, () => {});
    }).listen(Number(port), '127.0.0.1');
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
