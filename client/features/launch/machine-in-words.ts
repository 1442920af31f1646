import { capitalized } from '../../../shared/base/capitalized.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import { type Length, lengths } from '../../../shared/kinds/comparison/load-names.ts';
import type { Machine } from '../../../shared/measurement/machine.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { runsDiffer } from '../../../shared/words/runs-differ.ts';

/**
 * `Other virtual machines took 18 % of this machine in the last 10 s.` And if the length is finer than what one run can say: `Runs differ by
 * about ±3.2 %. A longer run does not narrow that; three runs do, to about ±1.8 %.`
 */
export function machineInWords(machine: Machine, length: Length, target: TargetKind): string {
  const expected = machine.expected.find((each) => each.length === length && each.target === target);
  const isBelow = expected !== undefined && expected.between > lengths[length].precision;
  return [now(machine), ...(isBelow ? [runsDiffer(expected.between)] : [])].join(' ');
}

/** Below this, a share is not worth a word. */
const worthTelling = 0.005;
function now({ overS, stealRatio, foreignRatio, measuring }: Machine): string {
  if (measuring) return 'A measurement is running, so this one will wait.';
  if (stealRatio === null || foreignRatio === null) return 'Checking this machine.';
  const takers = [
    { who: 'other virtual machines', share: stealRatio },
    { who: 'other programs', share: foreignRatio },
  ].filter(({ share }) => share >= worthTelling);
  if (takers.length === 0) return `This machine was quiet in the last ${overS} s.`;
  const parts = takers.map(
    ({ who, share }, place) => `${who}${place === 0 ? ' took' : ''} ${printShare(share)}`,
  );
  return `${capitalized(parts.join(' and '))} of this machine in the last ${overS} s.`;
}
