import { sizesHistory } from '../../../../shared/kinds/sizes/history.ts';
import type {
  ArmResult,
  SizeComparison,
  SizeOverhead,
  SizePoint,
  SizesDocument,
} from '../../../../shared/kinds/sizes/sizes.ts';
import { type FigureRow, type Figures, spreadEstimate } from '../../../../shared/measurement/history-view.ts';
import { factsOf } from '../../../../shared/target/target-facts.ts';

/** A row for each size and arm of the history in SQL. */
export function sizeFigures({
  request,
  arms,
  comparisons,
}: Pick<SizesDocument, 'request' | 'arms' | 'comparisons'>): Figures {
  const target = factsOf(request.target).name;
  const rows = arms.flatMap((arm) => {
    const comparison = comparisons.find((each) => each.arm === arm.arm);
    return arm.points.map((point) => ({ target, ...rowOf(arm, point, comparison) }));
  });
  return { view: sizesHistory, rows };
}

function rowOf(
  { arm, suite, negotiated, connectUs }: ArmResult,
  point: SizePoint,
  comparison: SizeComparison | undefined,
): FigureRow {
  const latency = overheadAt(comparison?.latency, point.size);
  const cpu = overheadAt(comparison?.cpu, point.size);
  return {
    transport: arm === 'http' ? 'http' : 'https',
    cipher: negotiated?.cipher ?? suite,
    ...{ size_bytes: point.size, rounds: point.rounds, transactions: point.transactions },
    ...{ latency_us: point.medianUs, latency_p2_5_us: point.p2_5, latency_p12_5_us: point.p12_5 },
    ...{ latency_p87_5_us: point.p87_5, latency_p97_5_us: point.p97_5 },
    ...{ cpu_us: point.cpuUs, connect_us: connectUs },
    ...spreadEstimate('latency_ratio', latency?.ratio),
    ...spreadEstimate('latency_delta_us', latency?.deltaUs),
    ...spreadEstimate('cpu_ratio', cpu?.ratio),
    ...spreadEstimate('cpu_delta_us', cpu?.deltaUs),
  };
}

function overheadAt(overhead: SizeOverhead | null | undefined, size: number) {
  return overhead?.points.find((point) => point.size === size);
}
