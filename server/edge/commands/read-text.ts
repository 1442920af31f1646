import { readFileSync } from 'node:fs';
import { problem } from '../../../shared/base/problem.ts';

/** The file that an option names. Throws file_unreadable. */
export function readText(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw problem(
      'file_unreadable',
      `${option}: ${path} could not be read: ${error instanceof Error ? error.message : error}.`,
    );
  }
}

/** The JSON in it. Throws file_unreadable, invalid_arguments. */
export function readJson(path: string, option: string): unknown {
  const text = readText(path, option);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw problem(
      'invalid_arguments',
      `${option}: ${path} is not JSON: ${error instanceof Error ? error.message : error}.`,
    );
  }
}
