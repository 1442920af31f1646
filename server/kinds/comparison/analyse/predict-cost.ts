import { printNumber } from '../../../../shared/base/quantity.ts';
import { isEncrypted } from '../../../../shared/base/transport.ts';
import type { Estimate } from '../../../../shared/kinds/comparison/comparison.ts';
import type { Predicted } from '../../../../shared/kinds/comparison/explanation.ts';
import { metricOf } from '../../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../../shared/kinds/comparison/run.ts';
import type { Slot } from '../../../../shared/kinds/comparison/slot.ts';
import { groupNames, keyNames } from '../../../../shared/kinds/handshakes/handshake-names.ts';
import type { HandshakesDocument } from '../../../../shared/kinds/handshakes/handshakes.ts';
import { sameName } from '../../../base/text/known-name.ts';
import { costsOfGrid } from '../../../method/capacity/costs-of-grid.ts';
import { scaled, sum } from '../../../method/statistics/estimates.ts';
import { soundBlocksOf } from './metric-blocks.ts';

/**
 * What the handshakes and bytes of a transaction cost in the lab, with what the run negotiated. Null where one side alone is not what has
 * TLS, or the grid was measured elsewhere or lacks a piece.
 */
export function predictCost(run: RunDocument, lab: HandshakesDocument): Predicted | null {
  const { negotiated } = run.tls.comparison;
  const added = !isEncrypted(run.sides.baseline.transport) && isEncrypted(run.sides.comparison.transport);
  if (!added || negotiated === null || !isSameMachine(run, lab)) return null;
  const version = negotiated.protocol === 'TLSv1.2' ? 'TLSv1.2' : 'TLSv1.3';
  const costs = costsOfGrid(lab, version);
  const key = negotiated.key === null ? undefined : sameName(negotiated.key.replace(/^EC /, ''), keyNames);
  const group = negotiated.group === null ? undefined : sameName(negotiated.group, groupNames);
  const { full, resumed, bytes } = needsOf(run);
  const pieces: Piece[] = [
    {
      count: full,
      unit: 'full handshakes',
      us: key && group ? costs.full(key, group)?.value : undefined,
    },
    { count: resumed, unit: 'resumed handshakes', us: group ? costs.resumed(group)?.value : undefined },
    { count: bytes, unit: 'bytes', us: /GCM/.test(negotiated.cipher) ? costs.byte()?.value : undefined },
  ].filter(({ count }) => count > 0);
  const parts = pieces.flatMap(({ count, us }) => (us === undefined ? [] : [scaled(us, count)]));
  if (pieces.length === 0 || parts.length < pieces.length) return null;
  return { handshakes: lab.id, us: sum(parts), formula: pieces.map(formulaOf).join(' + ') };
}

type Piece = { count: number; unit: string; us: Estimate | undefined };

function formulaOf({ count, unit, us }: Piece): string {
  const one = us?.center ?? 0;
  const price = unit === 'bytes' ? `${printNumber(1000 * one, 2)} ns` : `${printNumber(one, 0)} µs`;
  return `${printNumber(count, count >= 100 ? 0 : 3)} ${unit} × ${price}`;
}

function isSameMachine({ environment: run }: RunDocument, { environment: lab }: HandshakesDocument): boolean {
  return run.cpuModel === lab.cpuModel && run.cores === lab.cores && run.openssl === lab.openssl;
}

/** Of one transaction, over the blocks at load, which its CPU is read from. */
function needsOf({ blocks }: RunDocument) {
  const slots = soundBlocksOf(metricOf('cpu_at_load'), blocks).flatMap((block) =>
    block.slots.filter(({ arm }) => arm === 'comparison'),
  );
  const total = (read: (load: Slot['load']) => number) =>
    slots.reduce((sum, { load }) => sum + read(load), 0);
  const transactions = Math.max(
    1,
    total(({ succeeded }) => succeeded),
  );
  return {
    full: total(({ handshakesFull }) => handshakesFull) / transactions,
    resumed: total(({ handshakesResumed }) => handshakesResumed) / transactions,
    bytes: total(({ wireBytesRead, wireBytesWritten }) => wireBytesRead + wireBytesWritten) / transactions,
  };
}
