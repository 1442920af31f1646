import type { TLSSocket } from 'node:tls';
import type { Agreed, HandshakeCell } from '../../../shared/kinds/handshakes/handshakes.ts';
import { groupName } from '../../base/addresses/offered-tls.ts';

/** What a client's connection has agreed on. Throws a sentence when it is not what the cell asks. */
export function readAgreed(socket: TLSSocket, cell: HandshakeCell, resumes: boolean): Agreed {
  const version = socket.getProtocol() ?? 'unknown';
  const cipher = socket.getCipher().name;
  const reused = socket.isSessionReused();
  // On a resumed connection of TLS 1.2 the library shows the group of the one that the session comes from.
  const agreesKey = !reused || version === 'TLSv1.3';
  const group = agreesKey ? groupOf(socket) : null;
  if (version !== cell.version) throw new Error(`agreed on ${version}, not on ${cell.version}`);
  if (cipher !== cell.cipher) throw new Error(`agreed on ${cipher}, not on ${cell.cipher}`);
  if (agreesKey && group !== cell.group)
    throw new Error(`agreed in ${group ?? 'no group'}, not in ${cell.group}`);
  if (reused !== resumes) throw new Error(reused ? 'the session was resumed' : 'the session was not resumed');
  return { version, cipher, group, reused };
}

/** Null without a key agreement. */
function groupOf(socket: TLSSocket): string | null {
  const info = socket.getEphemeralKeyInfo() as { type?: string; name?: string; size?: number } | null;
  if (info?.type === 'DH') return `ffdhe${info.size}`;
  const name = info?.name;
  return name === undefined ? null : groupName(name);
}
