import type { FoldedStack } from '../../../shared/kinds/explain/explain.ts';

/** Frames in a row that tell where a stack continues. */
const alike = 3;

/**
 * A sample copies only the inner end of a stack, so the outer functions of a deep one are missing. The frames that it begins with are looked up in
 * other stacks, and what those have outside of them is put in front.
 */
export function graftStacks(stacks: readonly FoldedStack[]): FoldedStack[] {
  const outside = outsides(stacks);
  return stacks.map((each) => {
    const frames = each.stack.split(';');
    const missing = outside.get(keyAt(frames, 0) ?? '');
    return missing === undefined ? each : { ...each, stack: `${missing};${each.stack}` };
  });
}

/** What is outside of each row of frames: the most frequent, where there are several. */
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
