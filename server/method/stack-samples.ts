import { cut } from '../../shared/base/cut.ts';
import type { FoldedStack } from '../../shared/kinds/explain/explain.ts';
import type { CostGroup } from '../../shared/kinds/explain/options.ts';
import {
  type CostRule,
  costRules,
  libraryRules,
  type RuleGroup,
  transparentNames,
  transparentRoutines,
} from './cost-rules.ts';

/** Most frames that a recorded stack keeps; deeper ones are cut off at its outer end. */
const deepest = 128;
const longestName = 160;
/** Any process may write names of any length to its map, and the patterns below take quadratic time. */
export const longestLine = 1000;

/**
 * Reads what `perf script -F pid,tid,time,ip,sym,dso` prints, line by line: a line for each sample, below it a line for each frame, and an
 * empty line. Of a frame only the name of its symbol and the base name of its library are kept, because paths and addresses tell of the
 * machine.
 */
export class SampleParser {
  #head: { pid: number; timeNs: bigint } | null = null;
  #stack: Frame[] = [];

  /** Returns the sample that ended with this line, or null. */
  push(line: string): Sample | null {
    if (line === '') return this.end();
    const frame = frameLine.exec(cut(line, longestLine));
    if (frame !== null) {
      const [, name = '', library = ''] = frame;
      // An address of nothing ends a stack.
      const isPlace = name !== '[unknown]' || library !== '[unknown]';
      if (isPlace && this.#stack.length < deepest) this.#stack.push(frameOf(name, library));
      return null;
    }
    const head = headLine.exec(line);
    const ended = this.end();
    if (head !== null) this.#head = { pid: Number(head[1]), timeNs: nanosOf(head[2] ?? '', head[3] ?? '') };
    return ended;
  }

  /** Returns the last sample where no empty line followed it. */
  end(): Sample | null {
    const [head, stack] = [this.#head, this.#stack];
    this.#head = null;
    this.#stack = [];
    return head === null || stack.length === 0 ? null : { ...head, stack };
  }
}

const headLine = /^\s*(\d+)\/\d+\s+(\d+)\.(\d+):/;
/** The name may hold spaces, brackets and parentheses; the library is in the last ones. */
const frameLine = /^\s+[0-9a-f]+ (.*) \((.*)\)\s*$/;

function nanosOf(seconds: string, fraction: string): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(fraction.padEnd(9, '0').slice(0, 9));
}

function frameOf(symbol: string, path: string): Frame {
  const name = symbol.replace(/\+0x[0-9a-f]+$/, '');
  const library = libraryOf(path);
  if (name === '[unknown]' || name === '') return { name: null, library };
  return library === 'jit' ? compiledFrame(name) : { name: printable(name), library };
}

/** `JS:*'answer file:///srv/app/server.ts:72:18`, where V8 says how it was compiled before the name. */
const ofV8 =
  /^(?:JS|Function|LazyCompile|Script|Eval|RegExp|BytecodeHandler|Builtin|Stub):(?:[*+~^]?')?(.*)$/;
/** Function, file, line, and column. */
const placeInScript = /^(.*?) ?((?:file:\/\/)?\/.*|\S+?)(:\d+):\d+$/;
/** `void java.util.HashMap.putVal(int, java.lang.Object)`, as the JVM names a method. */
const ofJvm = /^\S+ ([\w.$<>/]+)\(.*\)$/;

/** A name that a runtime gave to what it compiled: without the directories of its file, and without types. */
function compiledFrame(name: string): Frame {
  const [, script] = ofV8.exec(name) ?? [];
  if (script === undefined) return { name: printable(ofJvm.exec(name)?.[1] ?? name), library: 'jit' };
  const [, called = script, file = '', line = ''] = placeInScript.exec(script) ?? [];
  const place = file.startsWith('node:') ? file : (file.split('/').at(-1) ?? '');
  const shown = `${called === '' ? '(anonymous)' : called} ${place}${line}`.trim();
  return { name: printable(shown), library: 'javascript' };
}

function libraryOf(path: string): string {
  if (/^\[(kernel|guest\.kernel)/.test(path) || /\.ko(\.[gx]z|\.zst)?$/.test(path)) return 'kernel';
  if (/^\[\w+\]$/.test(path) && path !== '[vdso]' && path !== '[unknown]') return 'kernel';
  if (path === '//anon' || path === '[anon]' || /perf-\d+\.map$/.test(path)) return 'jit';
  const base =
    path
      .replace(/ \(deleted\)$/, '')
      .split('/')
      .at(-1) ?? '';
  return base === '' ? '[unknown]' : printable(base);
}

/** Names are stored and shown: of one line, and of bounded length. A semicolon separates frames in folded stacks. */
function printable(text: string): string {
  return text
    .replaceAll(/\p{Cc}/gu, ' ')
    .replaceAll(';', ':')
    .slice(0, longestName);
}

/** A place in a program. */
export type Frame = {
  /** Null where the binary keeps no name for it. */
  name: string | null;
  /** Base name of the program or library; `kernel` for the kernel, `jit` for code that was made while running, and `javascript` for that of V8. */
  library: string;
};

/** From the innermost frame outward. */
export type Stack = readonly Frame[];

/** One sample of a running thread. */
export type Sample = { pid: number; timeNs: bigint; stack: Stack };

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
 * The group that a sample was spent on. The nearest function that the table knows decides. A function without a name, a transparent one,
 * and one that no rule knows belong to their caller. A program's own functions are its application. Arithmetic is a signature's, unless a
 * key agreement calls it.
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

/** A frame with less than this share of all samples is part of its caller: nobody would see it. */
const visibleShare = 1 / 500;

type Node = { samples: number; own: number; calls: Map<string, Node> };

/** Several lists of stacks as one, the largest stacks first, without what is too small to see. */
export function pruneStacks(stacks: readonly FoldedStack[]): FoldedStack[] {
  const root = newNode();
  for (const { stack, samples } of stacks) addTo(root, stack.split(';'), samples);
  const pruned: FoldedStack[] = [];
  collect(root, [], Math.max(1, root.samples * visibleShare), pruned);
  return pruned.sort((a, b) => b.samples - a.samples || (a.stack < b.stack ? -1 : 1));
}

function newNode(): Node {
  return { samples: 0, own: 0, calls: new Map() };
}

function addTo(root: Node, frames: readonly string[], samples: number): void {
  let node = root;
  node.samples += samples;
  for (const frame of frames) {
    const next = node.calls.get(frame) ?? newNode();
    node.calls.set(frame, next);
    next.samples += samples;
    node = next;
  }
  node.own += samples;
}

function collect(node: Node, path: readonly string[], fewest: number, into: FoldedStack[]): void {
  let own = node.own;
  for (const [frame, next] of node.calls) {
    if (next.samples < fewest) own += next.samples;
    else collect(next, [...path, frame], fewest, into);
  }
  if (own > 0 && path.length > 0) into.push({ stack: path.join(';'), samples: own });
}
