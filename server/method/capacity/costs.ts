import type { CapacityFigure } from '../../../shared/kinds/comparison/capacity.ts';
import type { Estimate } from '../../../shared/kinds/comparison/comparison.ts';
import type { GroupName, KeyName } from '../../../shared/kinds/handshakes/handshake-names.ts';

/** One figure and where it is from. In microseconds, unless its place says otherwise. */
export type Cost = Pick<CapacityFigure, 'source' | 'from'> & { value: Estimate };

/** All that a load is reckoned with. Where a source does not know a figure it gives null, and the next one is asked. */
export type CostSource = {
  request(): Cost | null;
  connection(): Cost | null;
  full(key: KeyName, group: GroupName): Cost | null;
  resumed(group: GroupName): Cost | null;
  /** Of one byte. */
  byte(): Cost | null;
  /** Signatures a second. */
  signs(key: KeyName): Cost | null;
};

/** The first that knows. */
export function firstOf(sources: readonly Partial<CostSource>[]): CostSource {
  const ask = (question: (source: Partial<CostSource>) => Cost | null | undefined) => {
    for (const source of sources) {
      const cost = question(source) ?? null;
      if (cost !== null) return cost;
    }
    return null;
  };
  return {
    request: () => ask((source) => source.request?.()),
    connection: () => ask((source) => source.connection?.()),
    full: (key, group) => ask((source) => source.full?.(key, group)),
    resumed: (group) => ask((source) => source.resumed?.(group)),
    byte: () => ask((source) => source.byte?.()),
    signs: (key) => ask((source) => source.signs?.(key)),
  };
}
