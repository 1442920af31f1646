import { readFileSync } from 'node:fs';

export type Owner = { uid: number; gid: number };

/** Where no user of that name is listed: Linux's own number for nobody. */
const unlisted: Owner = { uid: 65534, gid: 65534 };

/** Who the servers run as: nobody where we are root, so that none of them ever is; null for ourselves. */
export function ownerOfServers(): Owner | null {
  if (process.getuid?.() !== 0) return null;
  const line = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return line === null ? unlisted : { uid: Number(line[1]), gid: Number(line[2]) };
}
