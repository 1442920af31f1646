import { readFileSync } from 'node:fs';
import { problem } from '../../shared/problem.ts';

/** The file of `--ca`. Throws file_unreadable. */
export function readPem(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem(
      'file_unreadable',
      `--ca: ${path} could not be read: ${error instanceof Error ? error.message : error}.`,
    );
  }
}
