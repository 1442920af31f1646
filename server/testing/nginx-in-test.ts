import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Authority } from '../targets/certificates/certificate-authority.ts';
import { freePort } from './free-port.ts';
import type { NetworkHost } from './network-host.ts';

/** A real nginx that serves one page, here or on another host; a listener that is left out has no port. */
export type NginxInTest = {
  httpPort: number;
  httpsPort: number;
  twinPort: number;
  pid: number;
  /** When requests from an address were answered, in seconds, by its log. */
  requestsFrom(address: string): number[];
  stop(): Promise<void>;
};

type Options = {
  host?: NetworkHost;
  protocols?: string;
  log?: boolean;
  /** Directives of the listeners with TLS alone. */
  ofHttps?: string;
  /** Directives of every listener. */
  ofAll?: string;
  /** Connections of a worker; nginx's own default. */
  connections?: number;
};

export const hasNginx = spawnSync('nginx', ['-v']).status === 0;

const everyMs = 50;

export async function startNginxInTest(
  { certPem, keyPem }: Authority,
  schemes: readonly ('http' | 'https' | 'twin')[],
  options: Options = {},
): Promise<NginxInTest> {
  const { host } = options;
  const address = host?.address ?? '127.0.0.1';
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-nginx-'));
  chmodSync(directory, 0o755);
  const [httpPort, httpsPort, twinPort] = [await freePort(), await freePort(), await freePort()];
  const listeners = [
    ...(schemes.includes('http') ? [`listen ${address}:${httpPort};`] : []),
    ...(schemes.includes('https') ? [`listen ${address}:${httpsPort} ssl;`] : []),
    ...(schemes.includes('twin') ? [`listen ${address}:${twinPort};`] : []),
  ];
  writeFileSync(join(directory, 'index.html'), 'shop '.repeat(4000));
  writeFileSync(join(directory, 'cert.pem'), certPem);
  writeFileSync(join(directory, 'key.pem'), keyPem, { mode: 0o600 });
  writeFileSync(join(directory, 'nginx.conf'), configuration(directory, listeners, options));
  const start = host?.start ?? spawn;
  const child = start('nginx', ['-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = once(child, 'exit');
  for (const port of [
    ...(schemes.includes('http') ? [httpPort] : []),
    ...(schemes.includes('https') ? [httpsPort] : []),
    ...(schemes.includes('twin') ? [twinPort] : []),
  ]) {
    while (!(await listens(port, address))) {
      if (child.exitCode !== null) throw new Error('nginx did not start; its message is above');
      await pause(everyMs);
    }
  }
  return {
    httpPort,
    httpsPort,
    twinPort,
    pid: child.pid ?? 0,
    requestsFrom: (from) =>
      readFileSync(join(directory, 'access.log'), 'utf8')
        .split('\n')
        .flatMap((line) => (line.startsWith(`${from} `) ? Number(line.slice(from.length)) : [])),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function configuration(
  directory: string,
  listeners: readonly string[],
  { protocols = 'TLSv1.2 TLSv1.3', log = false, ofHttps = '', ofAll = '', connections = 512 }: Options,
): string {
  const isSecure = (listener: string) => listener.includes(' ssl');
  const blockOf = (of: readonly string[], directives: string) =>
    of.length === 0 ? '' : `server { ${of.join(' ')} ${directives} }`;
  return `
worker_processes 1;
daemon off;
pid ${directory}/pid;
events { worker_connections ${connections}; }
http {
  log_format from '$remote_addr $msec';
  access_log ${log ? `${directory}/access.log from` : 'off'};
  keepalive_requests 1000000000;
  keepalive_timeout 600;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${directory}/${name};`).join('\n  ')}
  ssl_certificate ${directory}/cert.pem;
  ssl_certificate_key ${directory}/key.pem;
  ssl_protocols ${protocols};
  root ${directory};
  ${blockOf(
    listeners.filter((each) => !isSecure(each)),
    ofAll,
  )}
  ${blockOf(listeners.filter(isSecure), `${ofHttps} ${ofAll}`)}
}`;
}

export async function listens(port: number, address = '127.0.0.1'): Promise<boolean> {
  const socket = connect(port, address);
  const event = await Promise.race([
    once(socket, 'connect').then(() => true),
    once(socket, 'error').then(() => false),
  ]).catch(() => false);
  socket.destroy();
  return event;
}
