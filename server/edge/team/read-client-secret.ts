import { readFileSync, statSync } from 'node:fs';
import { problemOfField } from '../../../shared/base/problem.ts';

/** The one line of a file. Throws invalid_environment if it cannot be read, is empty, or everybody on the machine can read it. */
export function readClientSecret(path: string): string {
  const { secret, mode } = read(path);
  if (secret === '') throw refuse(`${path} is empty`);
  if ((mode & 0o007) !== 0) throw refuse(`everybody on this machine can read ${path}; run chmod 600 on it`);
  return secret;
}

function read(path: string): { secret: string; mode: number } {
  try {
    return { secret: readFileSync(path, 'utf8').trim(), mode: statSync(path).mode };
  } catch (error) {
    throw refuse(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuse(message: string) {
  return problemOfField('invalid_environment', 'TLS_TOLL_OIDC_CLIENT_SECRET_FILE', message);
}
