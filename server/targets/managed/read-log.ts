import { readFileSync } from 'node:fs';
import { isFileError } from '../write-atomically.ts';

const mostLines = 3;
const mostCharacters = 600;

/** The last lines of a log in one; empty where there are none, or the log is gone. */
export function lastLines(path: string): string {
  const lines = textOf(path)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.slice(-mostLines).join(' ').slice(-mostCharacters);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isFileError(error) && error.code === 'ENOENT') return '';
    throw error;
  }
}
