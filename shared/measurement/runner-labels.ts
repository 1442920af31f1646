import type { Labels, Runner } from './runner.ts';

/** Labels of runners, without the schemas. */

/** `site=fra,cpu=arm`, in the order of their names. */
export function printLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join(',');
}

/** Whether a runner has every label that is asked for. */
export function hasLabels(has: Labels, asked: Labels): boolean {
  return Object.entries(asked).every(([name, value]) => has[name] === value);
}

/** Whether it is there to measure. */
export function isHere({ state }: Pick<Runner, 'state'>): boolean {
  return state === 'idle' || state === 'busy';
}

/** The labels of runners that are here, by name, each with its values. */
export function labelChoices(runners: readonly Pick<Runner, 'labels' | 'state'>[]): [string, string[]][] {
  const choices = new Map<string, Set<string>>();
  for (const [name, value] of runners.filter(isHere).flatMap(({ labels }) => Object.entries(labels))) {
    choices.set(name, (choices.get(name) ?? new Set()).add(value));
  }
  return [...choices].map(([name, values]): [string, string[]] => [name, [...values].toSorted()]).toSorted();
}
