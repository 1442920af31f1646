import type { CapacityVersion } from '../../../shared/kinds/comparison/capacity.ts';
import type { GroupName, KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { HandshakesDocument, Resumption } from '../../../shared/kinds/handshakes/handshakes.ts';
import { measuredOf } from '../../../shared/kinds/handshakes/handshakes-sentence.ts';

export type AskedHandshake = { version: CapacityVersion; key: KeyName; group: GroupName };

/** Bytes that the server sends in a handshake, with its session tickets; null if the grid has no such handshake. */
export function handshakeBytes(
  grid: Pick<HandshakesDocument, 'cells'> | null,
  { version, key, group }: AskedHandshake,
  resumption: Resumption,
): number | null {
  const found = measuredOf(grid?.cells ?? []).find(
    ({ cell }) =>
      cell.version === version &&
      cell.guess === undefined &&
      cell.resumption === resumption &&
      // A resumed connection sends no certificate, and in TLS 1.2 no key share.
      (resumption === 'resumed' || cell.key === key) &&
      (cell.group === group || (resumption === 'resumed' && version === 'TLSv1.2')),
  );
  return found?.wire.withTicketsBytes.serverToClient ?? null;
}

/** Header, content type and tag of a record of AES-GCM; in TLS 1.2 an explicit nonce in place of the content type. RFC 8446, 5.2; RFC 5288, 3. */
const recordBytes: Record<CapacityVersion, number> = { 'TLSv1.3': 5 + 1 + 16, 'TLSv1.2': 5 + 8 + 16 };

/** What records add to a response, at 16 KiB each. */
export function recordOverhead(bytes: number, version: CapacityVersion): number {
  return Math.max(1, Math.ceil(bytes / 16_384)) * recordBytes[version];
}
