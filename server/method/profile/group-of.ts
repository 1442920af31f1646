import type { CostGroup } from '../../../shared/kinds/explain/cost-groups.ts';
import type { CostRule, RuleGroup } from './rules/cost-rule.ts';
import { costRules, libraryRules, transparentNames, transparentRoutines } from './rules/cost-rules.ts';
import type { Frame, Stack } from './stack.ts';

/** Names and beginnings of names. The longest beginning decides. */
class NameTable<Value> {
  readonly #exact = new Map<string, Value>();
  readonly #begins = new Map<string, Value>();
  readonly #lengths: number[];

  constructor(entries: Iterable<readonly [name: string, Value]>) {
    for (const [name, value] of entries) {
      const table = name.endsWith('*') ? this.#begins : this.#exact;
      const key = name.replace(/\*$/, '');
      if (!table.has(key)) table.set(key, value);
    }
    this.#lengths = [...new Set([...this.#begins.keys()].map(({ length }) => length))].sort((a, b) => b - a);
  }

  find(name: string): Value | undefined {
    const exact = this.#exact.get(name);
    if (exact !== undefined) return exact;
    for (const length of this.#lengths) {
      const value = length > name.length ? undefined : this.#begins.get(name.slice(0, length));
      if (value !== undefined) return value;
    }
    return undefined;
  }
}

type Side = 'kernel' | 'program' | 'compiled';
const runtimes: readonly string[] = ['JDK', 'V8'];
/** A method of a program may be called like a function of a library. */
const isOn = (side: Side, source: string) =>
  side === 'kernel'
    ? source === 'kernel'
    : side === 'compiled'
      ? runtimes.includes(source)
      : source !== 'kernel';

function tablesOf(of: readonly CostRule[]): Record<Side, NameTable<RuleGroup>> {
  const entriesOf = (side: Side) =>
    of
      .filter(({ source }) => isOn(side, source))
      .flatMap(({ group, names }) => names.map((name) => [name, group] as const));
  return {
    kernel: new NameTable(entriesOf('kernel')),
    program: new NameTable(entriesOf('program')),
    compiled: new NameTable(entriesOf('compiled')),
  };
}

const known = tablesOf(costRules.filter((rule) => rule.whole !== true));
const whole = tablesOf(costRules.filter((rule) => rule.whole === true));
const transparentOf = (names: readonly string[]) => new NameTable(names.map((name) => [name, true] as const));
const [inPrograms, inCompiled] = [transparentOf(transparentNames), transparentOf(transparentRoutines)];
const transparent = { kernel: inPrograms, program: inPrograms, compiled: inCompiled };

/**
 * What a sample was spent on. The nearest function that the table knows decides. A function without a name, a transparent one, and one that
 * no rule knows belong to their caller. A program's own functions are its application. Arithmetic is a signature's, unless a key agreement
 * calls it.
 * @param programs base names of the programs that run
 */
export function groupOf(stack: Stack, programs: ReadonlySet<string>): CostGroup {
  const inWhole = stack.find(({ name, library }) => name !== null && whole[inside(library)].find(name));
  if (inWhole?.name != null) return settled(whole[inside(inWhole.library)].find(inWhole.name), []) ?? 'other';
  let unknownInKernel = false;
  let unnamedOf: CostGroup | null = null;
  for (const [at, frame] of stack.entries()) {
    const { name, library } = frame;
    const side = inside(library);
    if (name === null) {
      unnamedOf ??= libraryGroup(frame, programs);
      continue;
    }
    if (transparent[side].find(name)) continue;
    const group = settled(known[side].find(name), stack.slice(at + 1));
    if (group !== undefined) {
      // An unknown function of the kernel is not the cost of entering it.
      if (group === 'systemCalls' && unknownInKernel) return 'other';
      return group === 'systemCalls' && side === 'program' && unnamedOf !== null ? unnamedOf : group;
    }
    if (side === 'kernel') unknownInKernel = true;
    else if (unnamedOf !== null) return unnamedOf;
    const own = libraryGroup(frame, programs);
    if (own !== null) return unknownInKernel && side !== 'kernel' ? 'other' : own;
  }
  return unnamedOf ?? 'other';
}

/** Whose arithmetic it is. @param callers of the function, the nearest first */
function settled(group: RuleGroup | undefined, callers: Stack): CostGroup | undefined {
  if (group !== 'arithmetic') return group;
  for (const { name, library } of callers) {
    const found = name === null ? undefined : known[inside(library)].find(name);
    if (found === 'keyAgreement' || found === 'signature') return found;
  }
  return 'signature';
}

const compiled = new Set(['jit', 'javascript']);

function inside(library: string): Side {
  return library === 'kernel' ? 'kernel' : compiled.has(library) ? 'compiled' : 'program';
}

function libraryGroup({ library }: Frame, programs: ReadonlySet<string>): CostGroup | null {
  if (programs.has(library)) return 'application';
  return libraryRules.find((rule) => rule.library.test(library))?.group ?? null;
}
