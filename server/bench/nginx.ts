import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Transport } from '../../shared/base/transport.ts';
import type { Authority } from '../targets/certificate-authority.ts';

export type Nginx = {
  ports: Record<Transport, number>;
  /** Of the master process. */
  pid: number;
  stop(): Promise<void>;
};

const keeper = new URL('./keep-program.ts', import.meta.url);
const usualPorts: Record<Transport, number> = { http: 18_080, https: 18_443, h2c: 18_081, h2: 18_444 };

/** One worker on core 0, no log, connections kept for ever, a file of each size. It ends with this process. */
export async function startNginx(
  authority: Authority,
  sizes: readonly number[],
  ports: Nginx['ports'] = usualPorts,
): Promise<Nginx> {
  for (const port of Object.values(ports)) {
    if (await listens(port)) throw new Error(`127.0.0.1:${port} is in use by another program.`);
  }
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-nginx-'));
  mkdirSync(join(directory, 'files'));
  chmodSync(directory, 0o755);
  for (const size of sizes) writeFileSync(join(directory, 'files', `${size}`), 'x'.repeat(size));
  writeFileSync(join(directory, 'cert.pem'), authority.certPem);
  writeFileSync(join(directory, 'key.pem'), authority.keyPem, { mode: 0o600 });
  writeFileSync(join(directory, 'nginx.conf'), configuration(directory, ports));
  const child = fork(keeper, ['nginx', '-c', join(directory, 'nginx.conf')]);
  const exited = once(child, 'exit');
  const [{ pid }] = (await once(child, 'message')) as [{ pid: number }];
  await untilListening(ports.http, child);
  return {
    ports,
    pid,
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}

function configuration(directory: string, ports: Nginx['ports']): string {
  return `
worker_processes 1;
worker_cpu_affinity 01;
daemon off;
pid ${directory}/pid;
error_log ${directory}/error.log;
events { worker_connections 8192; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600;
  ssl_session_tickets off;
  ssl_session_cache off;
  server {
    listen 127.0.0.1:${ports.http};
    listen 127.0.0.1:${ports.https} ssl;
    listen 127.0.0.1:${ports.h2c} http2;
    listen 127.0.0.1:${ports.h2} ssl http2;
    ssl_certificate ${directory}/cert.pem;
    ssl_certificate_key ${directory}/key.pem;
    ssl_protocols TLSv1.2 TLSv1.3;
    root ${directory}/files;
  }
}`;
}

/** Throws where the program ends before. */
export async function untilListening(port: number, child: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    if (await listens(port)) return;
    await pause(50);
  }
  throw new Error(`Nothing listens on port ${port}. The program’s message is above.`);
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => ['connect']),
    once(socket, 'error').then(() => ['error']),
  ]).catch(() => ['error']);
  socket.destroy();
  return event === 'connect';
}

export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}
