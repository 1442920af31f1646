import { newKey, type StepDraft } from './draft.ts';

/** Changes of the list of steps, each giving a new list. */

export function moveStep(steps: readonly StepDraft[], from: number, by: -1 | 1): StepDraft[] {
  const to = from + by;
  const [moved, other] = [steps[from], steps[to]];
  if (moved === undefined || other === undefined) return [...steps];
  return steps.with(from, other).with(to, moved);
}

export function duplicateStep(steps: readonly StepDraft[], index: number): StepDraft[] {
  const step = steps[index];
  if (step === undefined) return [...steps];
  const copy: StepDraft = {
    ...step,
    key: newKey(),
    name: `${step.name} again`.slice(0, 100),
    checks: step.checks.map((check) => ({ ...check, key: newKey() })),
    extract: step.extract.map((rule) => ({ ...rule, key: newKey() })),
  };
  return steps.toSpliced(index + 1, 0, copy);
}
