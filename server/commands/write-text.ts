import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { problem } from '../../shared/problem.ts';

/** Before what takes its time, so that its result has where to go. Throws invalid_arguments, naming the option of the path. */
export function demandWritable(path: string, option: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    throw problem(
      'invalid_arguments',
      `${option}: ${path} cannot be written. Give a file in a directory that can.`,
    );
  }
}

/** Throws file_unwritable, naming the option of the path. */
export function writeText(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw problem('file_unwritable', `${option}: ${path} cannot be written: ${why}.`, { cause: error });
  }
}
