import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stuck } from '../../../shared/scenario/stuck.ts';
import { readConfig } from '../config.ts';

/** Writes what the page showed into the data directory, for its owner only, and says on stderr where. */
export function savePicture(stuck: Stuck | undefined): void {
  if (stuck === undefined || stuck.picture === null) return;
  const directory = join(readConfig(process.env).dataDirectory, 'pictures');
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${new Date().toISOString().replace(/\D/g, '')}-step-${stuck.step}.jpg`);
  writeFileSync(path, Buffer.from(stuck.picture, 'base64'), { mode: 0o600 });
  process.stderr.write(`Picture of the page: ${path}\n`);
}
