import type { Block, DropReasonCode } from '../../../../shared/block.ts';
import { problem } from '../../../../shared/problem.ts';
import { planBlocks } from '../../../statistics/block-order.ts';
import { mergeErrors } from '../analyse/describe-errors.ts';
import { slotShape } from '../plan/operating-point.ts';
import { measureBlock } from './measure-block.ts';
import type { Instruments } from './measure-slot.ts';
import type { RunUnderWay } from './run-under-way.ts';
import { troubleOf } from './target-trouble.ts';

/** Blocks in a row that errors, or a want of ports, may cost before the run is given up. */
const patience = 3;
const spoilers: readonly DropReasonCode[] = ['errors', 'ports_exhausted'];

/** Runs and stores blocks until the plan is fulfilled, the intervals are narrow enough, or the target breaks. */
export async function measure(
  run: RunUnderWay,
  capacity: { baseline: number; comparison: number },
  instruments: Instruments,
  signal: AbortSignal,
): Promise<void> {
  const requests = run.scenario.steps.length;
  const slowest = Math.min(capacity.baseline, capacity.comparison);
  const shapes = {
    steady: slotShape(run.plan, 'steady', (run.plan.ratePerS ?? slowest) * requests),
    maximum: slotShape(run.plan, 'maximum', slowest * requests),
  };
  const orders = planBlocks(run.plan.seed, run.planBlocks(shapes));
  const [first] = orders;
  if (first !== undefined) {
    // One discarded block: the first slots after the warm-up still see its leftovers.
    await measureBlock(first, run.plan, shapes[first.kind], run.transports, instruments, signal);
    instruments.memoryBytes.clear();
  }
  let failures = 0;
  for (const order of orders) {
    const block = await measureBlock(
      order,
      run.plan,
      shapes[order.kind],
      run.transports,
      instruments,
      signal,
    );
    await run.keep(block);
    failures = block.reasons.some(({ code }) => spoilers.includes(code)) ? failures + 1 : 0;
    if (failures === patience || isBroken(block)) throw breakdown(block);
    if (run.mayStop()) return;
  }
}

/** More than half of some slot's transactions failed. */
function isBroken(block: Block): boolean {
  return block.slots.some(({ load }) => load.started > 0 && load.succeeded < load.started / 2);
}

function breakdown(block: Block): Error {
  const shortage = block.reasons.find(({ code }) => code === 'ports_exhausted');
  if (shortage !== undefined) return problem('too_many_connections', shortage.message);
  const errors = mergeErrors(block.slots.flatMap((slot) => slot.load.errors));
  return troubleOf(errors, `block ${block.index + 1}`);
}
