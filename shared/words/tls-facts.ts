import { printNumber, printShare } from '../base/quantity.ts';
import { type BySide, bySide, isEncrypted, type KnownSide, sideNames } from '../base/transport.ts';
import type { SideTls } from '../kinds/comparison/run.ts';
import { printTlsVersion } from './negotiated-words.ts';

/** What the connections of both sides had, as rows of a table: on the page and in reports. */

type Row = { name: string } & BySide<string>;

const none = '–';

/** Without TLS on either side, the connections alone. */
export function tlsFacts({ tls, sides }: { tls: BySide<SideTls>; sides: BySide<KnownSide> }): Row[] {
  const isOf = bySide((side) => isEncrypted(sides[side].transport));
  const row = (name: string, read: (side: SideTls) => string, plain = none): Row => ({
    name,
    ...bySide((side) => (isOf[side] ? read(tls[side]) : plain)),
  });
  const ofTls = [
    row(
      'TLS version and suite',
      ({ negotiated }) =>
        negotiated === null ? none : `${printTlsVersion(negotiated.protocol)}, ${negotiated.cipher}`,
      'not encrypted',
    ),
    row('Key agreement and server key', ({ negotiated }) => {
      const parts = [negotiated?.group, negotiated?.key].filter((part) => part != null);
      return parts.join(' with ') || none;
    }),
    row('ALPN', ({ negotiated }) => negotiated?.alpn ?? 'none'),
    row('Handshakes', ({ handshakes }) => handshakesInWords(handshakes)),
  ];
  return [
    ...(sideNames.some((side) => isOf[side]) ? ofTls : []),
    { name: 'Connections opened', ...bySide((side) => printNumber(tls[side].connections, 0)) },
  ];
}

/** `8 full`, `120 full and 480 resumed (80 %)`. */
function handshakesInWords({ full, resumed }: SideTls['handshakes']): string {
  if (resumed === 0) return `${printNumber(full, 0)} full`;
  const share = printShare(resumed / (full + resumed));
  return `${printNumber(full, 0)} full and ${printNumber(resumed, 0)} resumed (${share})`;
}
