import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { capitalized } from '../../../shared/base/cut.ts';
import { printChange, printNumber, printShare } from '../../../shared/base/quantity.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import { type Length, lengthNames, lengths } from '../../../shared/kinds/comparison/options.ts';
import { runsDiffer } from '../../../shared/kinds/comparison/questions.ts';
import type { ExpectedTime, Machine, QuestionLine } from '../../../shared/results/summary.ts';
import type { TargetKind } from '../../../shared/target/target.ts';
import { usualTolerance } from '../../../shared/words/change-words.ts';
import { machineQuery, questionsQuery } from '../../api/queries.ts';
import { ChoiceCards } from '../../components/pills.tsx';
import { printDuration } from '../../format/printed-figures.ts';
import { type LaunchForm, type SetField, transportsIn } from './form-shape.ts';
import classes from './launch.module.css';
import { questionOf } from './question-form.tsx';

/** Choice of a length: the expected time and precision of each on this machine now, and the shortest that is enough. */

type PlanProps = { form: LaunchForm; set: SetField; plan: Plan };

/** Card for each length, with its expected time and precision on this machine. */
export function PlanField({ form, set, plan }: PlanProps) {
  return (
    <ChoiceCards
      look="figures"
      legend="Length"
      name="length"
      value={plan.length}
      onChange={(length) => set({ length, lengthChosen: true })}
      choices={lengthNames.map((length) => {
        const { title, precision, atMostS } = lengths[length];
        const expected = plan.expected.find((each) => each.length === length);
        return {
          value: length,
          title,
          aside:
            expected === undefined
              ? `at most ${printDuration(atMostS)}`
              : `about ${printDuration(expected.seconds)} here`,
          body: (
            <>
              <strong>±{printHalfWidth(expected?.halfWidth ?? precision)}</strong>
              <span>{length === plan.length && !form.lengthChosen ? plan.reason : uses[length]}</span>
            </>
          ),
        };
      })}
    />
  );
}

/** `5 %`, `1.8 %`. */
function printHalfWidth(share: number): string {
  return `${printNumber(100 * share, share < 0.03 ? 1 : 0)} %`;
}

const uses: Record<Length, string> = {
  first: 'for a first look',
  quote: 'for a figure that you pass on',
  fine: 'for small differences, such as two ciphers',
};

type Plan = {
  length: Length;
  /** Why it is preselected, or why it may not be enough. */
  reason: string;
  /** `20 s`; null until the machine is known. */
  takes: string | null;
  expected: ExpectedTime[];
};

/** The length that was chosen, or the shortest that is enough for what earlier runs of the target found. */
export function usePlan(form: LaunchForm): Plan {
  const { data: machine } = useQuery(machineQuery);
  const { data: asked } = useInfiniteQuery(questionsQuery('', 5));
  const expected = (machine?.expected ?? []).filter(({ target }) => target === form.targetKind);
  const earlier = questionOf(form) === 'https' ? earlierOf(form, asked?.pages[0]?.questions ?? []) : null;
  const enough = planEnough(expected, earlier);
  const length = form.lengthChosen ? form.length : enough.length;
  const seconds = expected.find((each) => each.length === length)?.seconds;
  return {
    ...{ length, reason: enough.reason, expected },
    takes: seconds === undefined ? null : printDuration(seconds),
  };
}

/** The difference, as a share, that the newest run of the target found. */
function earlierOf(form: LaunchForm, lines: readonly QuestionLine[]): number | null {
  const name = nameOfTarget(form);
  const line = lines.find(
    ({ newest: { target, sides } }) =>
      target === name && sideNames.every((side) => sides[side].transport === transportsIn(form)[side]),
  );
  const center = line?.newest.found?.ratio.center;
  return center === undefined ? null : center - 1;
}

/** Name of the target in results. */
function nameOfTarget({ targetKind, server, http, https }: LaunchForm): string {
  if (targetKind === 'storefront') return targetKind;
  return targetKind === 'managed' ? server : [http, https].filter((each) => each !== '').join(' | ');
}

/**
 * The shortest length that distinguishes a difference of that size from none, or shows that it is too small to matter.
 * @param earlier null where nothing is known
 */
export function planEnough(
  expected: readonly Pick<ExpectedTime, 'length' | 'halfWidth'>[],
  earlier: number | null,
): Pick<Plan, 'length' | 'reason'> {
  const [first] = expected;
  if (first === undefined) return { length: 'first', reason: uses.first };
  if (earlier === null) {
    return { length: 'first', reason: `enough for differences above ${printShare(2 * first.halfWidth)}` };
  }
  const size = Math.abs(earlier);
  const isEnough = ({ halfWidth }: { halfWidth: number }) =>
    2 * halfWidth <= size || size + halfWidth <= usualTolerance;
  const found = `it was ${printChange(1 + earlier)} here`;
  const enough = expected.find(isEnough);
  if (enough !== undefined) return { length: enough.length, reason: `✓ enough: ${found}` };
  return { length: expected.at(-2)?.length ?? first.length, reason: `may not be enough: ${found}` };
}

/** How quiet the machine is now. */
export function MachineStrip({ form }: { form: LaunchForm }) {
  const { data: machine } = useQuery(machineQuery);
  return (
    <p className={classes.machine} data-testid="machine">
      {machine === undefined
        ? 'Checking this machine.'
        : machineInWords(machine, form.length, form.targetKind)}
    </p>
  );
}

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
function now({ overS, stealRatio, foreignRatio, holder }: Machine): string {
  if (holder !== null) return 'Another run is in progress, so this one will wait.';
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
