import type { CapacityVersion } from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { GroupName, KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import { exactly, inverse, sum } from '../statistics/estimates.ts';
import type { Cost, CostSource } from './costs.ts';
import { protocolUs } from './typical-costs.ts';

/** What a speed table knows: signatures, key agreement, and so handshakes but for what the protocol itself costs. */
export function costsOfSpeed({ rows }: Pick<SpeedDocument, 'rows'>, version: CapacityVersion) {
  const rateOf = (id: string) => rows.find((row) => row.id === id)?.operationsPerS ?? null;
  const timesOf = (ids: readonly string[]): Estimate[] | null => {
    const rates = ids.flatMap((id) => rateOf(id) ?? []);
    return rates.length < ids.length ? null : rates.map((rate) => inverse(rate, 1e6));
  };
  const put = (ids: readonly string[], protocol: number): Cost | null => {
    const times = timesOf(ids);
    if (times === null) return null;
    return {
      value: sum([...times, exactly(protocol)]),
      source: 'measured in part',
      from: `From the speed table: ${ids.join(', ')}, plus a typical ${protocol} µs for the protocol.`,
    };
  };
  return {
    full: (key, group) => put([...serverPart(group), signId(key)], protocolUs.full),
    // In TLS 1.2 there is nothing in it that was measured.
    resumed: (group) => (version === 'TLSv1.2' ? null : put(serverPart(group), protocolUs.resumed)),
    signs(key) {
      const value = rateOf(signId(key));
      return value === null
        ? null
        : { value, source: 'measured', from: `From the speed table: ${signId(key)}.` };
    },
  } satisfies Partial<CostSource>;
}

function signId(key: KeyName): string {
  return `${key.startsWith('P-') ? `ECDSA-${key}` : key}/sign`;
}

/** A hybrid group is a row of its own; alone, encapsulation answers the client, and any other group makes a key and agrees. */
function serverPart(group: GroupName): string[] {
  const encapsulation = /^MLKEM(\d+)$/.exec(group)?.[1];
  if (encapsulation !== undefined) return [`ML-KEM-${encapsulation}/encapsulate`];
  if (group.includes('MLKEM')) return [`${group}/server`];
  const primitive = group.startsWith('P-') ? `ECDH-${group}` : group;
  return [`${primitive}/generate`, `${primitive}/agree`];
}
