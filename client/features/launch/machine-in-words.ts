import { capitalized } from '../../../shared/base/capitalized.ts';
import { printShare } from '../../../shared/base/quantity.ts';
import type { Preset } from '../../../shared/kinds/comparison/load-choice.ts';
import type { ExpectedWidth, Machine } from '../../../shared/measurement/machine.ts';
import { printCount } from '../../format/count.ts';

/** `Other virtual machines took 18 % of this machine in the last 10 s. Expect ±6.0 % from Quick, as in your last 5 runs.` */
export function machineInWords(machine: Machine, preset: Preset): string {
  const expected = machine.expected.find((each) => each.preset === preset);
  return [now(machine), ...(expected === undefined ? [] : [expectation(expected, lossOf(machine))])].join(
    ' ',
  );
}

/** Below this, a share is not worth a word. */
const worthTelling = 0.005;
/** From here on a machine is no longer the quiet one that typical figures are from. */
const noisy = 0.05;

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

function lossOf({ stealRatio, foreignRatio }: Machine): number {
  return (stealRatio ?? 0) + (foreignRatio ?? 0);
}

function expectation({ preset, halfWidth, runs }: ExpectedWidth, loss: number): string {
  const name = capitalized(preset);
  const width = `±${printShare(halfWidth)} from ${name}`;
  if (runs > 0)
    return `Expect ${width}, as in the last ${runs === 1 ? 'run' : printCount(runs, 'run')} here.`;
  return loss < noisy
    ? `Expect about ${width}, as on other quiet machines.`
    : `Expect wider than ${width}, which is for a quiet machine.`;
}
