import type { FoldedStack } from '../../shared/kinds/explain/explain.ts';
import { type CostGroup, costGroups } from '../../shared/kinds/explain/options.ts';
import { type Frame, groupOf, pruneStacks, type Stack } from './stack-samples.ts';

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

/** Frames outside of each row of frames: the most frequent, if there are several. */
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

/** Samples of one arm: how many there are of each group, and of each stack. */
type Profile = {
  samples: number;
  groups: Record<CostGroup, number>;
  stacks: FoldedStack[];
};

/** Different stacks that are kept, for programs that make up names without end. Others count by their group only. */
const mostStacks = 50_000;

/** A program has no names if hardly any of this many of its own samples has one. */
const fewestOwn = 50;
const namedShare = 0.1;

/** Counts samples, stack by stack. */
export class ProfileBuilder {
  readonly #programs: ReadonlySet<string>;
  readonly #stacks = new Map<string, number>();
  readonly #own = new Map<string, { samples: number; named: number }>();
  readonly #groups = emptyGroups();
  #samples = 0;

  /** @param programs base names of the programs that run, and of libraries that are theirs alone */
  constructor(programs: ReadonlySet<string>) {
    this.#programs = programs;
  }

  add(stack: Stack): void {
    const group = groupOf(stack, this.#programs);
    this.#samples++;
    this.#groups[group]++;
    this.#noteNames(stack);
    const folded = foldStack(stack);
    const known = this.#stacks.get(folded);
    if (known === undefined && this.#stacks.size >= mostStacks) return;
    this.#stacks.set(folded, (known ?? 0) + 1);
  }

  /** A program whose functions have no names; null without any. */
  unnamed(): string | null {
    const found = [...this.#own].find(
      ([, { samples, named }]) => samples >= fewestOwn && named < namedShare * samples,
    );
    return found?.[0] ?? null;
  }

  finish(): Profile {
    const stacks = [...this.#stacks].map(([stack, samples]) => ({ stack, samples }));
    return { samples: this.#samples, groups: this.#groups, stacks: pruneStacks(graftStacks(stacks)) };
  }

  #noteNames(stack: Stack): void {
    const own = stack.filter(({ library }) => this.#programs.has(library));
    const [first] = own;
    if (first === undefined) return;
    const of = this.#own.get(first.library) ?? { samples: 0, named: 0 };
    // A stripped program still names where it starts.
    const isNamed = own.some(({ name }) => name !== null && name !== '_start' && name !== 'main');
    this.#own.set(first.library, { samples: of.samples + 1, named: of.named + (isNamed ? 1 : 0) });
  }
}

function emptyGroups(): Record<CostGroup, number> {
  return Object.fromEntries(costGroups.map((group) => [group, 0])) as Record<CostGroup, number>;
}

/** Frames without a name that follow each other in one library are one. */
function foldStack(stack: Stack): string {
  const frames: string[] = [];
  for (const frame of stack.toReversed()) {
    const text = textOf(frame);
    if (frame.name !== null || frames.at(-1) !== text) frames.push(text);
  }
  return frames.join(';');
}

/** Suffixes by which `stackcollapse-perf.pl` marks functions of the kernel and those that were compiled while running. */
const suffixes: Record<string, string> = { kernel: '_[k]', jit: '_[j]', javascript: '_[j]' };

function textOf({ name, library }: Frame): string {
  return name === null ? `[${library}]` : `${name}${suffixes[library] ?? ''}`;
}
