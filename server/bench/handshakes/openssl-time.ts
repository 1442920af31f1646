import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { issueCertificate } from '../../drive/handshakes/issue-certificate.ts';
import { startLabProcess } from '../../drive/handshakes/lab-process.ts';
import { median } from '../../method/statistics/quantile.ts';
import type { Figure } from '../figure.ts';
import { isInstalled } from '../nginx.ts';

const port = 18_444;
const seconds = 2;
const rounds = 3;

/**
 * The same handshakes by OpenSSL's own program, `openssl s_time -www` against `openssl s_server` on loopback, beside the
 * lab's in the same rounds. Its client and server are two processes with sockets between them, and it fetches a page.
 */
export async function timeOpenssl(cells: readonly HandshakeCell[]): Promise<Figure[]> {
  if (!isInstalled('openssl')) {
    process.stderr.write('openssl is not installed: nothing to compare with.\n');
    return [];
  }
  const version = spawnSync('openssl', ['version']).stdout.toString().split(' ').slice(0, 2).join(' ');
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-openssl-'));
  const server = await startServer(directory);
  const lab = await startLabProcess();
  try {
    const figures: Figure[] = [];
    for (const cell of cells) {
      const ours: number[] = [];
      const theirs: number[] = [];
      await lab.visit(cell, 200);
      for (let round = 0; round < rounds; round++) {
        ours.push(median([...(await lab.visit(cell, 400)).cpuUs]));
        theirs.push(await timeOnce(cell, server));
      }
      const name = `CPU of both ends, ${cell.version}, ${cell.resumption}`;
      figures.push(figureOf(`${name}: the lab, OpenSSL ${process.versions.openssl}`, ours));
      figures.push(figureOf(`${name}: s_time and s_server, ${version}`, theirs));
    }
    return figures;
  } finally {
    await lab.stop();
    server.kill('SIGKILL');
    rmSync(directory, { recursive: true });
  }
}

function figureOf(figure: string, us: number[]): Figure {
  const range: [number, number] = [Math.min(...us), Math.max(...us)];
  return { bench: 'lab', figure, value: median(us), unit: 'µs', range, atMost: null };
}

async function startServer(directory: string): Promise<ChildProcess> {
  const { cert, key } = await issueCertificate('P-256');
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
  writeFileSync(certFile, cert);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const args = ['s_server', '-accept', `127.0.0.1:${port}`, '-cert', certFile, '-key', keyFile];
  const child = spawn('openssl', [...args, '-www', '-quiet', '-groups', 'X25519:P-256'], { stdio: 'ignore' });
  for (let attempt = 0; attempt < 100 && child.exitCode === null; attempt++) {
    const socket = connect(port, '127.0.0.1');
    const [event] = await Promise.race([
      once(socket, 'connect').then(() => ['connect']),
      once(socket, 'error').then(() => ['error']),
    ]).catch(() => ['error']);
    socket.destroy();
    if (event === 'connect') return child;
    await pause(50);
  }
  throw new Error(`openssl s_server does not listen on port ${port}`);
}

/** CPU time of client and server together, per connection, in microseconds. */
async function timeOnce(
  { version, cipher, resumption }: HandshakeCell,
  server: ChildProcess,
): Promise<number> {
  const suite = version === 'TLSv1.3' ? ['-tls1_3', '-ciphersuites', cipher] : ['-tls1_2', '-cipher', cipher];
  const how = resumption === 'full' ? '-new' : '-reuse';
  const args = ['s_time', '-connect', `127.0.0.1:${port}`, '-www', '/', how, ...suite, '-time', `${seconds}`];
  const before = cpuUsOf(server);
  const child = spawn('bash', ['-c', 'TIMEFORMAT="cpu %3U %3S"; time "$@"', 'bash', 'openssl', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  await once(child, 'close');
  const [, connections] = /(\d+) connections in [\d.]+s/.exec(output) ?? [];
  const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(output) ?? [];
  const clientUs = (Number(user) + Number(system)) * 1e6;
  return (clientUs + cpuUsOf(server) - before) / Number(connections);
}

/** `openssl s_server` has one thread. */
function cpuUsOf({ pid }: ChildProcess): number {
  return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1000;
}
