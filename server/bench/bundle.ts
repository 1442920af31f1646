import { readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Figure } from './figure.ts';

const client = fileURLToPath(new URL('../../dist/client', import.meta.url));
const filePage = fileURLToPath(new URL('../../dist/file/page.html', import.meta.url));

/** Scripts and styles that the first screen loads, as browsers get them (Brotli): those that the page names. And what every file of a result holds. */
export async function measureBundle(): Promise<Figure[]> {
  const page = readFileSync(`${client}/index.html`, 'utf8');
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    (match) => match[1] ?? '',
  );
  const bytes = [...new Set(files)].reduce((sum, path) => sum + statSync(`${client}${path}.br`).size, 0);
  return [
    {
      bench: 'bundle',
      figure: 'scripts and styles of the first screen, compressed',
      value: bytes / 1000,
      unit: 'kB',
      range: null,
      atMost: 220,
    },
    {
      bench: 'bundle',
      figure: 'file of a result, without the result',
      value: statSync(filePage).size / 1000,
      unit: 'kB',
      range: null,
      atMost: 400,
    },
  ];
}
