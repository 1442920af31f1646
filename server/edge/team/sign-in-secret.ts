import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemOfError } from '../../../shared/base/problem.ts';

/**
 * What the cookies of sessions are signed with: 256 random bits in a file of the data directory that only its owner can
 * read. Deleting it signs everybody out. The data directory must be locked before.
 */
export function signInSecret(directory: string): string {
  const path = join(directory, 'sign-in.secret');
  try {
    return read(path) ?? make(path);
  } catch (error) {
    throw problemOfError('data_directory_unusable', `${path} cannot be used`, error);
  }
}

/** Null when there is none, or half of one. */
function read(path: string): string | null {
  try {
    const text = readFileSync(path, 'utf8');
    return /^[0-9a-f]{64}$/.test(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function make(path: string): string {
  const secret = randomBytes(32).toString('hex');
  writeFileSync(`${path}.new`, secret, { mode: 0o600 });
  renameSync(`${path}.new`, path);
  return secret;
}
