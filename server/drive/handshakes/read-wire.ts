import type { TlsVersion } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { Turn } from '../../../shared/kinds/handshakes/handshake-samples.ts';
import type { BothWays, Wire } from '../../../shared/kinds/handshakes/handshakes.ts';
import { applicationData, type TlsRecord } from './tls-records.ts';

/**
 * What a connection that carried one byte each way says of its handshake. In TLS 1.3 nearly every record looks like
 * application data, so the byte is known by its place: the last record of each side. What the server sends after the
 * client's Finished and before the byte are its tickets.
 */
export function readWire(version: TlsVersion, records: readonly TlsRecord[]): { wire: Wire; turns: Turn[] } {
  const own =
    version === 'TLSv1.3' ? withoutLast(records) : records.filter(({ type }) => type !== applicationData);
  const finished = own.findLastIndex(({ from }) => from === 'client');
  const isTicket = (record: TlsRecord, index: number) =>
    version === 'TLSv1.3' && record.from === 'server' && index > finished;
  const handshake = own.filter((record, index) => !isTicket(record, index));
  return {
    wire: {
      handshakeBytes: bytesOf(handshake),
      withTicketsBytes: bytesOf(own),
      flights: turnsOf(handshake).length,
      helloRetry: own.some(({ helloRetry }) => helloRetry),
    },
    turns: turnsOf(own),
  };
}

/** Without the last record of each side. */
function withoutLast(records: readonly TlsRecord[]): TlsRecord[] {
  const last = (['client', 'server'] as const).map((side) =>
    records.findLastIndex(({ from }) => from === side),
  );
  return records.filter((_, index) => !last.includes(index));
}

function bytesOf(records: readonly TlsRecord[]): BothWays {
  const sum = (side: TlsRecord['from']) =>
    records.reduce((total, { from, bytes }) => (from === side ? total + bytes : total), 0);
  return { clientToServer: sum('client'), serverToClient: sum('server') };
}

function turnsOf(records: readonly TlsRecord[]): Turn[] {
  const turns: Turn[] = [];
  for (const { from, bytes } of records) {
    const current = turns.at(-1);
    if (current?.from === from) current.bytes += bytes;
    else turns.push({ from, bytes });
  }
  return turns;
}
