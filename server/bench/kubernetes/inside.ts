import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Images } from './make-images.ts';
import { playScenes } from './scenes.ts';
import { startCluster } from './start-cluster.ts';

/** The first process of the namespaces that the cluster is in. Its end is the end of all. */
const [directory = '', binaries = '', images = '{}', only = ''] = process.argv.slice(2);
const mount = (...args: string[]) => execFileSync('mount', args);

// Where these programs write beside their own directories; and containers take mounts over from a shared root.
mount('--make-rshared', '/');
for (const path of ['/run', '/var/log', '/var/lib']) {
  const own = join(directory, path.replaceAll('/', '-'));
  mkdirSync(own);
  mount('--bind', own, path);
}
mkdirSync('/var/lib/nginx');
mkdirSync('/var/log/nginx');
execFileSync('ip', ['link', 'set', 'lo', 'up']);

const from = performance.now();
const cluster = await startCluster(directory, binaries, JSON.parse(images) as Images);
const tell = (seen: object) => process.stdout.write(`${JSON.stringify(seen)}\n`);
tell({ scene: 'cluster', seen: 'two nodes are ready', seconds: (performance.now() - from) / 1000 });
await playScenes(cluster, directory, only, tell);
process.exit(0);
