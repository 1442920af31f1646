import type { RunRequestInput } from '../../shared/kinds/comparison/run-request.ts';
import { findPostgres, startPostgres } from '../testing/postgres-cluster.ts';
import type { Place } from './open-place.ts';

/** A set-up as people have it. A new one is an entry of `scenes`. */
export type Scene = {
  name: string;
  /** Programs that have to be installed. */
  needs: readonly string[];
  /** Sentence that the product must print besides its figures. */
  says?: RegExp;
  /** @param dashboard address of the dashboard that measures */
  setUp(place: Place, dashboard: string): Promise<Standing>;
};

/** A set-up that stands. */
export type Standing = {
  /** Addresses of both sides. */
  http: string;
  https: string;
  /** Other fields of the request. */
  request?: RunRequestInput;
  /** Every program that works for a request, by the roots of its process trees. Without one, nothing is measured beside the product. */
  programs?: Record<string, readonly number[]>;
  /** Called in the middle of the run. */
  change?: () => void;
  /** Truth in words, if it is not a figure. */
  truth?: string;
  /** Also checks whether the sum of all rows is the machine's busy time. */
  sums?: true;
};

export const scenes: readonly Scene[] = [
  {
    name: 'plain',
    needs: ['nginx'],
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page);
      return { ...at(http, https), programs: { nginx: [pid] } };
    },
  },
  {
    name: 'application',
    needs: ['nginx'],
    says: /in node behind it/,
    async setUp(place) {
      const port = await place.freePort();
      const node = await place.startOwn('application', [port, 1_000_000], port);
      const { http, https, pid } = await startNginx(place, passTo(port));
      return { ...at(http, https), programs: { nginx: [pid], node: [node] } };
    },
  },
  {
    name: 'sum',
    needs: ['nginx'],
    async setUp(place) {
      const port = await place.freePort();
      const node = await place.startOwn('application', [port, 100_000], port);
      const { http, https, pid } = await startNginx(place, passTo(port));
      return { ...at(http, https), programs: { nginx: [pid], node: [node] }, sums: true };
    },
  },
  {
    name: 'copier-https',
    needs: ['nginx'],
    says: /through nginx alone, HTTPS goes through node and nginx/,
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page);
      const secure = await place.freePort();
      const copier = await place.startOwn('copier', [secure, https], secure);
      return { ...at(http, secure), programs: { copier: [copier], nginx: [pid] } };
    },
  },
  {
    name: 'reuseport',
    needs: ['nginx'],
    async setUp(place) {
      const first = await startNginx(place, page, 'reuseport');
      const second = await startNginx(place, page, 'reuseport', first);
      return { ...at(first.http, first.https), programs: { nginx: [first.pid, second.pid] } };
    },
  },
  {
    name: 'database',
    needs: ['nginx', 'psql'],
    says: /in node behind it.*in postgres behind it/,
    async setUp(place) {
      const bin = findPostgres();
      if (bin === null) throw new Error('PostgreSQL is not installed.');
      const cluster = await startPostgres(bin);
      place.onClose(() => cluster.stop());
      const port = await place.freePort();
      const node = await place.startOwn('asker', [port, cluster.url], port);
      const { http, https, pid } = await startNginx(place, passTo(port));
      return { ...at(http, https), programs: { nginx: [pid], node: [node], postgres: [cluster.pid] } };
    },
  },
  {
    name: 'job-beside',
    needs: ['nginx'],
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page);
      await place.startOwn('job', [], null);
      return { ...at(http, https), programs: { nginx: [pid] }, truth: 'the job is no part of it' };
    },
  },
];

export function at(http: number, https: number): Pick<Standing, 'http' | 'https'> {
  return { http: `http://127.0.0.1:${http}`, https: `https://127.0.0.1:${https}` };
}

type Nginx = { http: number; https: number; pid: number };

/** A kilobyte from memory. */
export const page = `location / { return 200 "${'x'.repeat(1024)}"; }`;

export function passTo(port: number): string {
  return `location / { proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1; proxy_set_header Connection ""; }`;
}

let nginxes = 0;

/** @param like listens on the same ports */
export async function startNginx(
  place: Place,
  location: string,
  listen = '',
  like?: Nginx,
  workers = 1,
  address = '127.0.0.1',
): Promise<Nginx> {
  const { http, https } = like ?? { http: await place.freePort(), https: await place.freePort() };
  const name = `nginx-${nginxes++}`;
  const upstreams = [...location.matchAll(/proxy_pass http:\/\/([\d.:]+)/g)].map(([, address]) => address);
  const kept = upstreams.map(
    (address) => `upstream behind { server ${address}; keepalive 64; keepalive_requests 1000000000; }`,
  );
  const text = `worker_processes ${workers};
daemon off;
pid ${place.directory}/${name}.pid;
error_log ${place.directory}/${name}.log;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600;
  ${kept.join('\n')}
  server {
    listen ${address}:${http} ${listen};
    listen ${address}:${https} ssl ${listen};
    ssl_certificate ${place.pem};
    ssl_certificate_key ${place.pem};
    ${location.replace(/proxy_pass http:\/\/[\d.:]+/, 'proxy_pass http://behind')}
  }
}`;
  const pid = await place.start('nginx', ['-c', place.write(`${name}.conf`, text)], http);
  return { http, https, pid };
}

/** In tcp mode. @param routes from port to port */
export async function startHaproxy(
  place: Place,
  name: string,
  routes: Record<number, number>,
): Promise<number> {
  const ports = Object.entries(routes);
  const listens = ports.map(
    ([from, to]) => `listen from${from}\n  bind 127.0.0.1:${from}\n  server to${to} 127.0.0.1:${to}\n`,
  );
  const text = `global
  nbthread 1
defaults
  mode tcp
  timeout connect 5s
  timeout client 600s
  timeout server 600s
${listens.join('')}`;
  return place.start('haproxy', ['-db', '-f', place.write(name, text)], Number(ports[0]?.[0] ?? 0));
}
