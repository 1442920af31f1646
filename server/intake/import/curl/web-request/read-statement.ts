import { ImportProblem } from '../import-problem.ts';
import type { WrittenStatement } from './written-statements.ts';

/** What a browser copies as PowerShell: the parts of a session, and the request that uses it. */
export type Statement =
  | { is: 'session' }
  | { is: 'user agent'; value: string }
  | { is: 'cookie'; name: string; value: string; domain: string }
  | { is: 'request'; options: Map<string, Option> };

/** Of -Headers a list, of any other its value, and of -Body whether it is given as bytes of UTF-8. */
export type Option = { text: string; headers: [name: string, value: string][]; isUtf8: boolean };

const session = /^\$\w+ ?= ?New-Object Microsoft\.PowerShell\.Commands\.WebRequestSession$/i;
const userAgent = /^\$\w+\.UserAgent ?= ?""$/i;
const cookie =
  /^\$\w+\.Cookies\.Add ?\( ?\( ?New-Object System\.Net\.Cookie ?\( ?"", ?"", ?"", ?"" ?\) ?\) ?\)$/i;

/** Throws ImportProblem for anything that browsers do not copy. */
export function readStatement({ shape, strings, problem }: WrittenStatement): Statement {
  if (problem !== null) throw importProblem(problem);
  if (/^Invoke-WebRequest /i.test(shape)) return { is: 'request', options: readOptions(shape, strings) };
  const [first = '', second = '', third, fourth = ''] = strings;
  if (session.test(shape)) return { is: 'session' };
  if (userAgent.test(shape)) return { is: 'user agent', value: first };
  if (!cookie.test(shape)) throw importProblem('is not in the form that browsers copy');
  if (third !== '/') throw importProblem('adds a cookie for some paths only');
  return { is: 'cookie', name: first, value: second, domain: fourth };
}

const options: Record<string, RegExp> = {
  '-usebasicparsing': / /y,
  '-uri': / "" /y,
  '-contenttype': / "" /y,
  '-method': / (?:""|(\w+)) /y,
  '-websession': / \$\w+ /y,
  '-headers': / @\{ ?(?:"" ?= ?"" ?)*\} /y,
  '-body': / (?:""|\( ?(\[System\.Text\.Encoding\]::UTF8\.GetBytes) ?\( ?"" ?\) ?\)) /iy,
};

function readOptions(shape: string, strings: readonly string[]): Map<string, Option> {
  const read = new Map<string, Option>();
  const written = `${shape} `;
  const rest = strings.values();
  for (let at = shape.indexOf(' '); at < shape.length; ) {
    const name = /^ (-\w{1,30})/.exec(written.slice(at, at + 32))?.[1]?.toLowerCase() ?? '';
    const value = options[name];
    if (value === undefined && name !== '')
      throw importProblem(`has the option ${name}, which browsers do not copy`);
    if (value === undefined) throw importProblem('is not in the form that browsers copy');
    value.lastIndex = at + 1 + name.length;
    const [whole, word] = value.exec(written) ?? [];
    if (whole === undefined)
      throw importProblem(`has a value of ${name} that is not in the form that browsers copy`);
    const count = whole.split('""').length - 1;
    const texts = Array.from({ length: count }, () => rest.next().value ?? '');
    read.set(name, {
      text: texts[0] ?? word ?? '',
      headers: name === '-headers' ? pairs(texts) : [],
      isUtf8: name === '-body' && word !== undefined,
    });
    at += 1 + name.length + whole.length - 1;
  }
  return read;
}

function pairs(texts: readonly string[]): [string, string][] {
  return texts.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, texts[index + 1] ?? '']] : [],
  );
}

/** @param reason the rest of a sentence */
export function importProblem(reason: string): ImportProblem {
  return new ImportProblem(`The statement ${reason}.`);
}
