import { ImportProblem } from '../import-problem.ts';
import type { WrittenStatement } from './written-statements.ts';

/** What the statements before a request have set for it. */
export type Session = {
  userAgent: string | null;
  cookies: { name: string; value: string; domain: string }[];
  /** Of all values: past the limit of a header, no request looks at them again. */
  cookiesLength: number;
};

export const newSession = (): Session => ({ userAgent: null, cookies: [], cookiesLength: 0 });

/** Of -Headers a list, of any other its value, and of -Body whether it is given as bytes of UTF-8. */
export type Option = { text: string; headers: [name: string, value: string][]; isUtf8: boolean };

const session = /^\$\w+ ?= ?New-Object Microsoft\.PowerShell\.Commands\.WebRequestSession$/i;
const userAgent = /^\$\w+\.UserAgent ?= ?""$/i;
const cookie =
  /^\$\w+\.Cookies\.Add ?\( ?\( ?New-Object System\.Net\.Cookie ?\( ?"", ?"", ?"", ?"" ?\) ?\) ?\)$/i;

/** The options of a request; null for what only changes the session. Throws ImportProblem for anything that browsers do not copy. */
export function readStatement(
  { shape, strings, problem }: WrittenStatement,
  held: Session,
): Map<string, Option> | null {
  if (problem !== null) throw importProblem(problem);
  if (/^Invoke-WebRequest /i.test(shape)) return readOptions(shape, strings);
  const [first = '', second = '', third, domain = ''] = strings;
  if (session.test(shape)) Object.assign(held, newSession());
  else if (userAgent.test(shape)) held.userAgent = first;
  else if (!cookie.test(shape)) throw importProblem('is not in the form that browsers copy');
  else if (third !== '/') throw importProblem('adds a cookie for some paths only');
  else {
    held.cookies.push({ name: first, value: second, domain });
    held.cookiesLength += first.length + second.length;
  }
  return null;
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
