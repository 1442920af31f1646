import { type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { Block } from '../../../../shared/kinds/comparison/block.ts';
import type { ConnectionPolicy } from '../../../../shared/kinds/comparison/load-choice.ts';
import { sumOf } from '../../../method/statistics/mean.ts';
import type { RunRecord } from './run-record.ts';

/** Both sides keep to a whole number but for what is under way when a block begins and ends. */
const nearlyWhole = 0.1;

/**
 * How many connections each transaction opened at load, where the plan has new ones for all that is sent; undefined where connections
 * stay open. A server that closes them opens more than the plan asks for, and the two sides must agree.
 */
export function connectionsPerTransactionOf(
  { plan, scenario }: Pick<RunRecord, 'plan' | 'scenario'>,
  blocks: readonly Block[],
): number | undefined {
  const planned = plannedOf(plan.connectionPolicy, scenario.steps.length);
  if (planned === undefined) return undefined;
  const [baseline = planned, comparison = planned] = sideNames.map(
    (side) => openedOf(blocks, side) ?? planned,
  );
  const whole = Math.round(baseline);
  const isWhole = [baseline, comparison].every((each) => Math.abs(each - whole) <= nearlyWhole * whole);
  return isWhole && whole > 0 ? whole : undefined;
}

function plannedOf(policy: ConnectionPolicy, steps: number): number | undefined {
  if (policy === 'connection-per-transaction') return 1;
  return policy === 'connection-per-request' ? steps : undefined;
}

/** Null where nothing was measured at load. */
function openedOf(blocks: readonly Block[], side: SideName): number | null {
  const slots = blocks
    .filter(({ kind }) => kind === 'maximum')
    .flatMap((block) => block.slots.filter(({ arm }) => arm === side));
  const transactions = sumOf(slots.map(({ load }) => load.succeeded));
  return transactions === 0 ? null : sumOf(slots.map(({ load }) => load.connectionsOpened)) / transactions;
}
