import type { RecordedStep } from './recording-schema.ts';

/** A step with its place in the recording, from 1. */
export type Placed<Step = RecordedStep> = { line: number; step: Step };

/** Keys that went down and up again. */
export type Press = { type: 'press'; key: string; target?: string | undefined };

type KeyStep = Extract<RecordedStep, { type: 'keyDown' | 'keyUp' }>;

const modifier = /^(Alt|Control|Meta|Shift)(?:Left|Right)?$/;
const mostModifiers = 4;

/** Keys that are pressed together become one chord such as `Control+a`; others stay as they are. */
export function foldKeys(steps: readonly Placed[]): Placed<RecordedStep | Press>[] {
  const folded: Placed<RecordedStep | Press>[] = [];
  let at = 0;
  while (at < steps.length) {
    const placed = steps[at];
    if (placed === undefined) break;
    const chord = chordAt(steps, at);
    const { line, step } = placed;
    const press = { type: 'press', key: chord?.join('+') ?? '', target: step.target } as const;
    folded.push({ line, step: chord === null ? step : press });
    at += chord === null ? 1 : chord.length * 2;
  }
  return folded;
}

/** Modifiers go down, a key goes down, and all of them go up again, with nothing between. */
function chordAt(steps: readonly Placed[], at: number): string[] | null {
  const down: string[] = [];
  for (let length = 1; length <= mostModifiers + 1; length++) {
    const step = keyAt(steps, at + length - 1);
    if (step?.type !== 'keyDown') return null;
    down.push(step.key);
    const up = Array.from({ length }, (_, index) => keyAt(steps, at + length + index));
    const released = up.flatMap((key) => (key?.type === 'keyUp' ? [key.key] : []));
    if (released.length === length && isSame(down, released)) return chordOf(down);
    if (!modifier.test(step.key)) return null;
  }
  return null;
}

function keyAt(steps: readonly Placed[], index: number): KeyStep | null {
  const step = steps[index]?.step;
  return step?.type === 'keyDown' || step?.type === 'keyUp' ? step : null;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join('\n') === right.toSorted().join('\n');
}

/** The left and the right one of a modifier are the same in a chord. */
function chordOf(keys: readonly string[]): string[] {
  return keys.map((key, index) => (index < keys.length - 1 ? key.replace(modifier, '$1') : key));
}
