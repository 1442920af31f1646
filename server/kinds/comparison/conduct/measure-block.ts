import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Block, DropReason } from '../../../../shared/block.ts';
import type { Plan, SlotShape } from '../../../../shared/load-profile.ts';
import type { Slot } from '../../../../shared/slot.ts';
import { type Arm, type TransportPair, transportOf } from '../../../../shared/transport.ts';
import { portShortage } from '../../../policy/socket-limits.ts';
import type { BlockOrder } from '../../../statistics/block-order.ts';
import { judgeBlock } from '../analyse/drop-reasons.ts';
import { rampMsOf } from '../plan/operating-point.ts';
import { type Instruments, measureSlot } from './measure-slot.ts';

export const armOfLetter: Record<string, Arm> = { A: 'baseline', B: 'comparison', N: 'twin' };

/** All slots of a block begin with the same row of the scenario's data, and those of the next one further on. */
const rowsApart = 10_007;

/** Runs the slots of one block in their order and judges the whole. Stops between slots when aborted. */
export async function measureBlock(
  { index, kind, order }: BlockOrder,
  plan: Plan,
  shape: SlotShape,
  transports: TransportPair,
  instruments: Instruments,
  signal: AbortSignal,
): Promise<Block> {
  const slots: Slot[] = [];
  const disagreements: string[] = [];
  for (const letter of order) {
    signal.throwIfAborted();
    const arm = armOfLetter[letter];
    if (arm === undefined) continue;
    const shortage = await shortageOfPorts(arm, instruments, signal);
    if (shortage !== null) return { index, kind, order, reasons: [exhausted(slots.length, shortage)], slots };
    const transport = transportOf(arm, transports);
    const ratePerS = kind === 'steady' ? plan.ratePerS : null;
    const { slot, disagreement } = await measureSlot(
      {
        arm,
        transport,
        point: kind,
        shape,
        ratePerS,
        rampMs: rampMsOf(plan, kind),
        firstRow: index * rowsApart,
      },
      instruments,
    );
    slots.push(slot);
    if (disagreement !== null) disagreements.push(disagreement);
    await pause(plan.idleMs);
  }
  const reasons = judgeBlock(slots, plan, availableParallelism());
  if (disagreements[0] !== undefined) {
    reasons.push({ code: 'handshakes_disagree', message: `The two ends disagree: ${disagreements[0]}.` });
  }
  return { index, kind, order, reasons, slots };
}

const portsEveryMs = 1000;
/** A closed connection holds its port for a minute. */
const longestWaitForPortsMs = 65_000;

/** Waits until there are ports for as many connections as the arm's last slot opened; a sentence when there never are. */
async function shortageOfPorts(
  arm: Arm,
  { readSocketLimits, connectionsOpened }: Instruments,
  signal: AbortSignal,
): Promise<string | null> {
  if (readSocketLimits === null) return null;
  const expected = connectionsOpened.get(arm) ?? 0;
  const until = performance.now() + longestWaitForPortsMs;
  for (;;) {
    const shortage = portShortage(readSocketLimits(), expected);
    if (shortage === null || performance.now() > until) return shortage;
    await pause(portsEveryMs, undefined, { signal });
  }
}

function exhausted(slotsDone: number, shortage: string): DropReason {
  return { code: 'ports_exhausted', message: `Before slot ${slotsDone + 1}: ${shortage}` };
}
