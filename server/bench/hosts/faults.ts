import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productVersion } from '../../edge/product-version.ts';
import { openHostsInTest } from '../../testing/hosts-in-test.ts';
import { faultScenes } from './fault-scenes.ts';

/** What came of a fault. */
type Seen = { scene: string; seen: string; seconds: number };

/** One after another; a scene that fails is seen, and the next one is played. */
export async function playFaults(only: string): Promise<{ rows: Seen[]; text: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'tls-toll-faults-'));
  const rows: Seen[] = [];
  const played = Object.entries(faultScenes).filter(([scene]) => scene.includes(only));
  try {
    for (const [scene, play] of played) {
      process.stderr.write(`${scene} …\n`);
      const from = performance.now();
      const hosts = await openHostsInTest({ directory, count: 2, version: productVersion() });
      try {
        const seen = await play({ hosts, directory }).catch((error: Error) => `FAILED: ${error.message}`);
        rows.push({ scene, seen, seconds: (performance.now() - from) / 1000 });
      } finally {
        await hosts.close();
      }
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const text = rows
    .map(({ scene, seen, seconds }) => `${scene} (${seconds.toFixed(1)} s): ${seen}`)
    .join('\n');
  return { rows, text };
}
