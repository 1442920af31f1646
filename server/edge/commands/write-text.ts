import { accessSync, constants, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { problem, problemOfError } from '../../../shared/base/problem.ts';

/** Checks before a long measurement that its result can be written. Throws invalid_arguments, naming the option of the path. */
export function demandWritable(path: string, option: string): void {
  if (isWritable(path)) return;
  throw problem(
    'invalid_arguments',
    `${option}: ${path} cannot be written. Give a file in a directory that you can write to.`,
  );
}

/** A file that is there must be writable itself, as `/dev/stdout` is; a new one needs its directory. */
function isWritable(path: string): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    accessSync(found === undefined ? `${dirname(path)}/` : path, constants.W_OK);
    return found?.isDirectory() !== true;
  } catch {
    return false;
  }
}

/** Throws file_unwritable, naming the option of the path. */
export function writeText(path: string, text: string, option: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw problemOfError('file_unwritable', `${option}: ${path} cannot be written`, error);
  }
}
