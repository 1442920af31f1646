import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Transport } from '../../shared/base/transport.ts';
import type { Authority } from '../targets/certificates/certificate-authority.ts';
import { listens } from '../testing/nginx-in-test.ts';
import { openPlace } from './open-place.ts';

export type Nginx = { ports: Record<Transport, number>; stop(): Promise<void> };

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
  const place = await openPlace();
  mkdirSync(join(place.directory, 'files'));
  for (const size of sizes) place.write(`files/${size}`, 'x'.repeat(size));
  place.write('cert.pem', authority.certPem);
  place.write('key.pem', authority.keyPem);
  const path = place.write('nginx.conf', configuration(place.directory, ports));
  await place.start('nginx', ['-c', path], ports.http);
  return { ports, stop: place.close };
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

export function isInstalled(program: string): boolean {
  return spawnSync('which', [program]).status === 0;
}
