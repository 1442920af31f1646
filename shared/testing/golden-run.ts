import { readFileSync } from 'node:fs';
import { runDocumentSchema, runSchemaVersion } from '../kinds/comparison/run.ts';

/** A finished run as it is stored, read anew each time. */
export function goldenRun() {
  const stored = new URL(`../../server/life/database/golden/run-v${runSchemaVersion}.json`, import.meta.url);
  return runDocumentSchema.parse(JSON.parse(readFileSync(stored, 'utf8')));
}
