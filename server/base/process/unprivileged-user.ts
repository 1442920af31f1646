import { readFileSync } from 'node:fs';

export type User = { uid: number; gid: number };

/** Where no user of that name is listed: Linux's own number for nobody. */
const unlisted: User = { uid: 65534, gid: 65534 };

/**
 * Who servers that are measured and browsers run as: nobody where we are root, so that none of them ever is; null for
 * ourselves.
 */
export function unprivilegedUser(): User | null {
  if (process.getuid?.() !== 0) return null;
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line === null ? unlisted : { uid: Number(line[1]), gid: Number(line[2]) };
}
