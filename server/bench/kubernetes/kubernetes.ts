import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildKubernetes } from './build-kubernetes.ts';
import { makeImages } from './make-images.ts';
import type { Seen } from './scenes.ts';
import { cgroupOf, hierarchies } from './start-node.ts';
import { until } from './start-program.ts';

const needed = ['go', 'etcd', 'containerd', 'runc', 'ctr', 'ip', 'unshare', 'nginx', 'openssl'];
const inside = fileURLToPath(new URL('inside.ts', import.meta.url));

/**
 * Generator pods in a real cluster of two nodes, made here and taken down again. All of it is in namespaces of its own for processes,
 * mounts, and the network, which end with their first process: so does everything that the cluster started, mounted, or bridged.
 *
 * @param only part of the names of the scenes that are played; empty for all
 */
export async function tryKubernetes(
  signal: AbortSignal,
  only: string,
): Promise<{ rows: Seen[]; text: string }> {
  const missing = needed.filter((command) => spawnSync('which', [command]).status !== 0);
  if (missing.length > 0) {
    throw new Error(
      `The bench needs ${missing.join(', ')}. On Debian: apt-get install etcd-server containerd runc containernetworking-plugins nginx-light openssl iproute2, and Go.`,
    );
  }
  const binaries = await buildKubernetes(signal);
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-kubernetes-'));
  const rows: Seen[] = [];
  try {
    await runInside([directory, binaries, only], signal, (seen) => rows.push(seen));
  } finally {
    rows.push(await takeDown(directory));
  }
  const text = rows
    .map(({ scene, seen, seconds }) => `${scene} (${seconds.toFixed(1)} s): ${seen}`)
    .join('\n');
  return { rows, text };
}

async function runInside(
  [directory, binaries, only]: [string, string, string],
  signal: AbortSignal,
  see: (seen: Seen) => void,
): Promise<void> {
  const images = makeImages(directory, binaries);
  const unshared = ['--net', '--mount', '--pid', '--fork', '--kill-child=SIGKILL', '--mount-proc'];
  const child = spawn(
    'unshare',
    [
      ...unshared,
      process.execPath,
      '--disable-warning=ExperimentalWarning',
      inside,
      directory,
      binaries,
      JSON.stringify(images),
      only,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, TLS_TOLL_BENCH: String(process.pid) } },
  );
  const end = () => void child.kill('SIGKILL');
  signal.addEventListener('abort', end, { once: true });
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) see(JSON.parse(line) as Seen);
  });
  const [code] = await once(child, 'close');
  if (code !== 0 && !signal.aborted)
    throw new Error(`the cluster's first process ended with ${code}; its message is above`);
}

/** Removes what namespaces do not take along, and looks for what should be gone. */
async function takeDown(directory: string): Promise<Seen> {
  const from = performance.now();
  const groups = readdirSync(hierarchies).flatMap((name) =>
    [1, 2].map((number) => join(hierarchies, name, cgroupOf(number, process.pid))),
  );
  // A group can be removed once the last process in it is gone.
  await until('empty control groups', 30, async () => {
    for (const group of groups) removeGroup(group);
    return true;
  });
  rmSync(directory, { recursive: true, force: true });
  const links = spawnSync('ip', ['-o', 'link'], { encoding: 'utf8' }).stdout;
  const left = [
    ...(readFileSync('/proc/self/mounts', 'utf8').includes(directory) ? ['a mount'] : []),
    ...(/pods-[12]/.test(links) ? ['a bridge'] : []),
    ...(existsSync(directory) ? ['a directory'] : []),
    ...processesWith(`TLS_TOLL_BENCH=${process.pid}`).map((pid) => `process ${pid}`),
  ];
  const seen = left.length === 0 ? 'no process, mount, bridge, control group, or directory' : left.join(', ');
  return { scene: 'left afterwards', seen, seconds: (performance.now() - from) / 1000 };
}

function removeGroup(path: string): void {
  if (!existsSync(path)) return;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isDirectory()) removeGroup(join(path, entry.name));
  }
  rmdirSync(path);
}

function processesWith(variable: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable);
    } catch {
      return false;
    }
  });
}
