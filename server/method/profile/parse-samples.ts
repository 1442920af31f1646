import { cut } from '../../../shared/base/cut.ts';
import type { Frame, Sample } from './stack.ts';

/** What a stack may hold of a recording; what is deeper is left out at its outer end. */
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
