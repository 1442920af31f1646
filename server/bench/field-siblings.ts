import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeNetworkHost } from '../testing/network-host.ts';
import { findPostgres, startPostgres } from '../testing/postgres-cluster.ts';
import { startMeasuredServer } from '../testing/program-in-test.ts';
import { at, page, passTo, type Scene, startHaproxy, startNginx } from './field-scenes.ts';
import type { Place } from './open-place.ts';

/** Set-ups with more programs in front of a server, behind it, or beside it. */
export const siblingScenes: readonly Scene[] = [
  inFront('copier', [], (place, from, to) => place.startOwn('copier', [from, to], from)),
  inFront('socat', ['socat'], (place, from, to) =>
    place.start('socat', [`TCP-LISTEN:${from},bind=127.0.0.1,fork,reuseaddr`, `TCP:127.0.0.1:${to}`], from),
  ),
  inFront('haproxy', ['haproxy'], (place, from, to) =>
    startHaproxy(place, `haproxy-${from}.cfg`, { [from]: to }),
  ),
  inFront('sslh', ['sslh'], (place, from, to) =>
    place.start(
      'sslh',
      // Both kinds of traffic have the same `location`, because each side has its own port.
      ['-f', '-n', ...['-p', `127.0.0.1:${from}`, '--http', `127.0.0.1:${to}`, '--tls', `127.0.0.1:${to}`]],
      from,
    ),
  ),
  inFront('envoy', ['envoy'], (place, from, to) =>
    place.start('envoy', ['--concurrency', '1', '-c', place.write(`e${from}.yaml`, envoy(from, to))], from),
  ),
  inFront('systemd-socket-activate', ['systemd-socket-activate', 'socat'], (place, from, to) =>
    place.start(
      'systemd-socket-activate',
      ['--accept', '--inetd', '-l', `127.0.0.1:${from}`, 'socat', 'STDIO', `TCP:127.0.0.1:${to}`],
      from,
    ),
  ),
  {
    name: 'ssh',
    needs: ['nginx', 'ssh', 'sshd'],
    says: /^(?=.*in ssh, a forwarder)(?=.*in sshd, a forwarder)(?=.*in nginx, the server)/,
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page);
      const [port, plain, secure] = [await place.freePort(), await place.freePort(), await place.freePort()];
      const key = join(place.directory, 'key');
      spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
      mkdirSync('/run/sshd', { recursive: true });
      const lines = ['ListenAddress 127.0.0.1', `HostKey ${key}`, `AuthorizedKeysFile ${key}.pub`];
      const rest = ['StrictModes no', 'PidFile none', 'PermitRootLogin yes', 'UsePAM no'];
      const path = place.write('sshd.conf', [...lines, ...rest, ''].join('\n'));
      const server = await place.start('/usr/sbin/sshd', ['-D', '-p', `${port}`, '-f', path], port);
      const known = ['-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null', '-i', key];
      const routes = ['-L', `${plain}:127.0.0.1:${http}`, '-L', `${secure}:127.0.0.1:${https}`];
      const args = [...known, '-q', '-N', '-p', `${port}`, ...routes, '127.0.0.1'];
      const client = await place.start('ssh', args, secure);
      return { ...at(plain, secure), programs: { ssh: [client], sshd: [server], nginx: [pid] } };
    },
  },
  {
    name: 'container',
    needs: ['nginx'],
    says: /in node.*in nginx behind it|not visible from here/,
    async setUp(place) {
      const host = await makeNetworkHost();
      place.onClose(() => host.close());
      const inside = { ...place, start: startIn(host) };
      const { http, https, pid } = await startNginx(inside, page, '', undefined, 1, host.address);
      const [plain, secure] = [await place.freePort(), await place.freePort()];
      const copiers = [
        await place.startOwn('copier', [plain, http, host.address], plain),
        await place.startOwn('copier', [secure, https, host.address], secure),
      ];
      return { ...at(plain, secure), programs: { copier: copiers, nginx: [pid] } };
    },
  },
  endsTls('hitch', (place, http, https) => [
    '--user=nobody',
    `--log-filename=${place.directory}/hitch.log`,
    `--frontend=[127.0.0.1]:${https}`,
    `--backend=[127.0.0.1]:${http}`,
    place.pem,
  ]),
  endsTls('stunnel', (place, http, https) => [
    place.write(
      'stunnel.conf',
      `foreground = yes\npid =\ndebug = 3\n[tls]\naccept = 127.0.0.1:${https}\nconnect = 127.0.0.1:${http}\ncert = ${place.pem}\n`,
    ),
  ]),
  {
    name: 'php-fpm',
    needs: ['nginx', 'php-fpm8.2'],
    says: /in php-fpm8\.2 behind it/,
    async setUp(place) {
      const socket = join(place.directory, 'php.sock');
      place.write('index.php', `<?php echo str_repeat('x', 1024);`);
      const pool = `[www]\nlisten = ${socket}\nlisten.mode = 0666\nuser = nobody\npm = static\npm.max_children = 2\n`;
      const path = place.write(
        'fpm.conf',
        `[global]\ndaemonize = no\nerror_log = ${place.directory}/fpm.log\n${pool}`,
      );
      const fpm = await place.start('php-fpm8.2', ['-n', '-F', '-y', path], null);
      const location = `location / { fastcgi_pass unix:${socket}; fastcgi_param REQUEST_METHOD GET; fastcgi_param SCRIPT_FILENAME ${place.directory}/index.php; }`;
      const { http, https, pid } = await startNginx(place, location);
      return { ...at(http, https), programs: { nginx: [pid], 'php-fpm': [fpm] } };
    },
  },
  {
    name: 'gunicorn',
    needs: ['nginx', 'gunicorn'],
    says: /in python[\d.]* behind it/,
    async setUp(place) {
      const port = await place.freePort();
      place.write(
        'app.py',
        `def app(environ, start):\n  start('200 OK', [('Content-Length', '1024')])\n  return [b'x' * 1024]\n`,
      );
      const worker = ['-w', '1', '-k', 'gthread', '--threads', '16', '--keep-alive', '600'];
      const gunicorn = await place.start(
        '/usr/bin/gunicorn',
        ['--chdir', place.directory, '-b', `127.0.0.1:${port}`, ...worker, 'app:app'],
        port,
      );
      const { http, https, pid } = await startNginx(place, passTo(port));
      return { ...at(http, https), programs: { nginx: [pid], gunicorn: [gunicorn] } };
    },
  },
  {
    name: 'workers',
    needs: ['nginx'],
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page, 'reuseport', undefined, 2);
      return { ...at(http, https), programs: { nginx: [pid] } };
    },
  },
  {
    name: 'journald',
    needs: ['nginx', '/lib/systemd/systemd-journald'],
    says: /in systemd-journald/,
    async setUp(place) {
      const journal = await place.start('/lib/systemd/systemd-journald', [], null);
      const logged = `access_log syslog:server=unix:/run/systemd/journal/dev-log; ${page}`;
      const { http, https, pid } = await startNginx(place, logged);
      return { ...at(http, https), programs: { nginx: [pid], journald: [journal] } };
    },
  },
  {
    name: 'database-shared',
    needs: ['nginx', 'psql'],
    says: /in postgres behind it/,
    async setUp(place) {
      const bin = findPostgres();
      if (bin === null) throw new Error('PostgreSQL is not installed.');
      const cluster = await startPostgres(bin);
      place.onClose(() => cluster.stop());
      const [port, other] = [await place.freePort(), await place.freePort()];
      const node = await place.startOwn('asker', [port, cluster.url], port);
      await place.startOwn('asker', [other, cluster.url], other);
      await place.startOwn('visitor', [`http://127.0.0.1:${other}`], null);
      const { http, https, pid } = await startNginx(place, passTo(port));
      return { ...at(http, https), programs: { nginx: [pid], node: [node], postgres: [cluster.pid] } };
    },
  },
  beside('cron', [], async (place) => {
    const job = 'while sleep 0.7; do head -c 1000000 /dev/urandom | gzip > /dev/null; done';
    await place.start('sh', ['-c', job], null);
  }),
  beside('two-dashboards', [], async (place) => {
    const other = await startMeasuredServer();
    place.onClose(() => other.stop());
  }),
  beside('page-open', ['chromium'], async (place, dashboard) => {
    const profile = `--user-data-dir=${join(place.directory, 'chromium')}`;
    await place.start(
      'chromium',
      ['--headless=new', '--no-sandbox', '--log-level=3', profile, dashboard],
      null,
    );
  }),
  mirrored('begins', /node|something new began/, async (start) => () => void start()),
  mirrored('ends', /^node, which works for the requests, ended/, async (start) => {
    const pid = await start();
    return () => process.kill(pid, 'SIGTERM');
  }),
];

/** A program in front of each nginx listener that passes on bytes. */
function inFront(
  name: string,
  needs: readonly string[],
  start: (place: Place, from: number, to: number) => Promise<number>,
): Scene {
  return {
    ...{ name, needs: ['nginx', ...needs], says: /, a forwarder, .*in nginx, the server,/ },
    async setUp(place) {
      const { http, https, pid } = await startNginx(place, page);
      const [plain, secure] = [await place.freePort(), await place.freePort()];
      const programs = {
        [name]: [await start(place, plain, http), await start(place, secure, https)],
        nginx: [pid],
      };
      return { ...at(plain, secure), programs };
    },
  };
}

/** A proxy that terminates TLS in front of an nginx; the HTTP side asks nginx directly. */
function endsTls(
  name: string,
  argsOf: (place: Place, http: number, https: number) => readonly string[],
): Scene {
  return {
    ...{ name, needs: ['nginx', name] },
    says: new RegExp(`HTTPS through ${name}\\d* costs .* than nginx alone`),
    async setUp(place) {
      const { http, pid } = await startNginx(place, page);
      const https = await place.freePort();
      const proxy = await place.start(name, argsOf(place, http, https), https);
      return { ...at(http, https), programs: { [name]: [proxy], nginx: [pid] } };
    },
  };
}

/** An nginx that works alone, whatever else runs on the machine. */
function beside(
  name: string,
  needs: readonly string[],
  start: (place: Place, dashboard: string) => Promise<void>,
): Scene {
  return {
    ...{ name, needs: ['nginx', ...needs], says: /^(?!.*(behind|beside) it).*95 % CI/ },
    async setUp(place, dashboard) {
      const { http, https, pid } = await startNginx(place, page);
      await start(place, dashboard);
      return { ...at(http, https), programs: { nginx: [pid] }, truth: 'nginx works alone' };
    },
  };
}

/** An application that gets a copy of each request; nothing waits for its answer. */
function mirrored(
  name: string,
  says: RegExp,
  changeBy: (start: () => Promise<number>) => Promise<() => void>,
): Scene {
  return {
    ...{ name, needs: ['nginx'], says },
    async setUp(place) {
      const port = await place.freePort();
      place.write('index.html', 'x'.repeat(1024));
      const copies = `location = /copy { internal; ${passTo(port).replace(/^location \/ \{/, '')}`;
      const location = `location / { root ${place.directory}; mirror /copy; } ${copies}`;
      const { http, https } = await startNginx(place, location);
      const change = await changeBy(() => place.startOwn('application', [port, 100_000], port));
      return { ...at(http, https), change, truth: `node ${name} in the middle of the run` };
    },
  };
}

/** Starts programs in another network and PID namespace. They end with it. */
function startIn(host: Awaited<ReturnType<typeof makeNetworkHost>>): Place['start'] {
  return async (program, args) => {
    const child = host.start(program, args, { stdio: 'ignore' });
    await new Promise((resolve) => setTimeout(resolve, 1000));
    return child.pid ?? 0;
  };
}

function envoy(from: number, to: number): string {
  const address = (port: number) => `{socket_address: {address: 127.0.0.1, port_value: ${port}}}`;
  return `static_resources:
  listeners:
  - address: ${address(from)}
    filter_chains:
    - filters:
      - name: tcp
        typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.network.tcp_proxy.v3.TcpProxy, stat_prefix: tcp, cluster: behind}
  clusters:
  - name: behind
    load_assignment: {cluster_name: behind, endpoints: [{lb_endpoints: [{endpoint: {address: ${address(to)}}}]}]}
`;
}
