import type { FoldedStack } from '../../../shared/kinds/explain/explain.ts';

/** So many frames in a row tell where a stack goes on. */
const alike = 3;

/**
 * A sample copies the inner end of a stack only: of a deep one, the outer functions are missing. What it begins with is looked for inside of other
 * stacks, and what those have outside of it is put in front.
 */
export function graftStacks(stacks: readonly FoldedStack[]): FoldedStack[] {
  const outside = outsides(stacks);
  return stacks.map((each) => {
    const frames = each.stack.split(';');
    const missing = outside.get(keyAt(frames, 0) ?? '');
    return missing === undefined ? each : { ...each, stack: `${missing};${each.stack}` };
  });
}

/** What stands outside of frames in a row, by them; of several the most frequent. */
function outsides(stacks: readonly FoldedStack[]): Map<string, string> {
  const found = new Map<string, { outside: string; samples: number }>();
  for (const { stack, samples } of stacks) {
    const frames = stack.split(';');
    for (let at = 1; at < frames.length; at++) {
      const key = keyAt(frames, at);
      if (key === null || (found.get(key)?.samples ?? 0) >= samples) continue;
      found.set(key, { outside: frames.slice(0, at).join(';'), samples });
    }
  }
  return new Map([...found].map(([key, { outside }]) => [key, outside]));
}

function keyAt(frames: readonly string[], at: number): string | null {
  return at + alike > frames.length ? null : frames.slice(at, at + alike).join(';');
}
