import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Figure } from './figure.ts';

const client = fileURLToPath(new URL('../../dist/client', import.meta.url));

/** JavaScript that the first screen loads, gzipped: the scripts and preloads that the page names. */
export async function measureBundle(): Promise<Figure[]> {
  const page = readFileSync(`${client}/index.html`, 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map((match) => match[1] ?? '');
  const bytes = [...new Set(scripts)].reduce(
    (sum, path) => sum + gzipSync(readFileSync(client + path)).length,
    0,
  );
  return [
    {
      bench: 'bundle',
      figure: 'first-screen JavaScript, gzipped',
      value: bytes / 1000,
      unit: 'kB',
      range: null,
      atMost: 250,
    },
  ];
}
