import type { ErrorGroup } from '../../../../shared/base/outcome.ts';

/** `https, Search: answered 500 instead of 200 (31 times)` — the largest group, and how many others there are. */
export function describeErrors(groups: readonly ErrorGroup[]): string {
  const [largest] = [...groups].sort((a, b) => b.count - a.count);
  if (largest === undefined) return 'no answer';
  const step = largest.step === null ? '' : `, ${largest.step}`;
  const times = largest.count === 1 ? 'once' : `${largest.count} times`;
  const others = groups.length - 1;
  const rest = others === 0 ? '' : `, and ${others} other ${others === 1 ? 'kind' : 'kinds'} of error`;
  return `${largest.transport}${step}: ${largest.detail} (${times})${rest}`;
}

/** Adds groups that are alike. */
export function mergeErrors(groups: readonly ErrorGroup[]): ErrorGroup[] {
  const merged = new Map<string, ErrorGroup>();
  for (const group of groups) {
    const key = [group.transport, group.step, group.outcome, group.detail].join('\n');
    const before = merged.get(key);
    merged.set(key, { ...group, count: group.count + (before?.count ?? 0) });
  }
  return [...merged.values()].sort((a, b) => b.count - a.count);
}
