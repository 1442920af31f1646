import type { Prepared, Samples } from '../../../../shared/kinds/handshakes/handshake-samples.ts';
import type {
  CellResult,
  Ends,
  HandshakeCell,
  MeasuredCell,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import { comparePaired, type Pair } from '../../../method/statistics/compare-paired.ts';
import { median } from '../../../method/statistics/quantile.ts';
import { joined, spreadOf, userSpreadOf } from './spread.ts';

/** All that is known of a cell so far. */
export class CellNotes {
  readonly cell: HandshakeCell;
  prepared: Prepared | null = null;
  /** Why it is measured no further. */
  ended: { status: 'not-negotiated' | 'failed'; reason: string } | null = null;
  readonly visits: Samples[] = [];
  /** Of each visit, in microseconds. */
  readonly typicalUs: number[] = [];
  /** Of each round, its typical connection and those of the baseline before and after it. */
  readonly pairs: Pair[] = [];
  ends: Ends | null = null;

  constructor(cell: HandshakeCell) {
    this.cell = cell;
  }

  /** Returns what its typical connection took. */
  add(visit: Samples): number {
    const typical = typicalCpuUs(visit);
    this.visits.push(visit);
    this.typicalUs.push(typical);
    return typical;
  }

  get isUsable(): boolean {
    return this.prepared !== null && this.ended === null;
  }

  /** Null when it has not been measured. */
  result(): CellResult | null {
    return this.ended === null ? this.measured() : { cell: this.cell, ...this.ended };
  }

  measured(): MeasuredCell | null {
    const { cell, prepared, visits, ends } = this;
    if (prepared === null || visits.length === 0) return null;
    const cpuUs = spreadOf(visits, 'cpuUs');
    const { ratio, perBlock } = comparePaired(this.pairs, 'ratio');
    return {
      status: 'measured',
      cell,
      connections: joined(visits, 'cpuUs').length,
      cpuUs,
      userUs: userSpreadOf(visits),
      wallUs: spreadOf(visits, 'wallUs'),
      connectionsPerS: 1e6 / cpuUs.mean,
      wire: prepared.wire,
      agreed: prepared.agreed,
      ratio,
      roundRatios: perBlock,
      ends,
    };
  }
}

/** What stands for a visit in a ratio: garbage is collected in one of many connections, and would be in the mean of one visit only. */
function typicalCpuUs({ cpuUs }: Samples): number {
  return median([...cpuUs]);
}
