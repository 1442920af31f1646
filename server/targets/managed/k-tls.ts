import type { ServerName } from '../../../shared/target/server-names.ts';
import { serverTitles } from '../../../shared/words/target-words.ts';
import { readProc } from '../../base/process/proc-files.ts';
import type { ManagedServer } from './managed-server.ts';

const list = '/proc/sys/net/ipv4/tcp_available_ulp';

/** Why a server here cannot leave encryption to the kernel, in a sentence; null where it can. */
export function kTlsProblem(
  name: ServerName,
  { kTls = false }: Pick<ManagedServer, 'kTls'>,
  available = readProc(list),
): string | null {
  if (!kTls) return `${serverTitles[name]} is not set up for kTLS here.`;
  if (available?.trim().split(/\s+/).includes('tls')) return null;
  return `This kernel lists no tls in ${list}: load its module (modprobe tls), or use a kernel that has it.`;
}
