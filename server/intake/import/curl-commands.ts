import { problem } from '../../../shared/base/problem.ts';
import type { Unsupported } from '../../../shared/scenario/import.ts';
import { nearestNames } from '../../base/text/known-name.ts';
import { escapeTemplate } from '../scenario/template.ts';
import { shellCommands } from './command-shells.ts';
import { curlOptions, type FoundOption, knownVersion, optionNamed, optionOfLetter } from './curl-options.ts';
import { requestsOf } from './curl-requests.ts';
import { type CurlSettings, emptySettings, ImportProblem } from './curl-settings.ts';
import { type DraftRequest, openYield, type TakeYield } from './draft-request.ts';
import { assignedName, type ShellCommand, type Word } from './shell-words.ts';

/** A command without what stands before its program. */
type Program = {
  /** Without its directory and `.exe`; null when the command only sets variables. */
  name: string | null;
  args: Word[];
  /** Names of the variables that are set for it alone. */
  environment: string[];
};

/** Programs that run another one as it is. */
const wrappers = new Set(['sudo', 'time', 'command', 'nohup', 'env', 'timeout', '!']);

function programOf({ words }: ShellCommand): Program {
  const environment: string[] = [];
  let isRun = false;
  let skipsTime = false;
  for (const [index, word] of words.entries()) {
    const assigned = isRun ? null : assignedName(word);
    const name = nameOf(word);
    if (assigned !== null) environment.push(assigned);
    // `timeout -k 5 20 curl`: options, the time, then the program.
    else if (skipsTime && /^-|^[\d.]+[smhd]?$/.test(word.text)) continue;
    else if (!wrappers.has(name)) return { name, args: words.slice(index + 1), environment };
    // Behind these, even name=value is a program.
    isRun ||= name === 'command' || name === 'nohup';
    skipsTime ||= name === 'timeout';
  }
  return { name: null, args: [], environment };
}

function nameOf({ text }: Word): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1);
  return name.replace(/^@/, '').replace(/\.exe$/i, '');
}

/** Result of a command. */
type ReadCommand = {
  line: number;
  /** None when it is left out. */
  requests: DraftRequest[];
  /** In sentences: why it is left out, or what differs. */
  reasons: string[];
  /** Whether its requests send the cookies that earlier responses gave. */
  keepsCookies?: boolean;
};

/** Many times the steps of a scenario. */
const mostRequests = 1000;

/** The commands of a text, up to where it becomes a script. Throws import_unreadable when none of them is curl. */
function* readCommands(text: string): Generator<ReadCommand> {
  const take = openYield();
  const jars = new Set<string>();
  let hasCurl = false;
  for (const command of shellCommands(text)) {
    const program = programOf(command);
    const ending = whyEnding(program);
    hasCurl ||= isCurl(program) || ending !== null;
    if (ending !== null) {
      yield { line: command.line, requests: [], reasons: [ending] };
      break;
    }
    yield isCurl(program) ? readCommand(command, program, { take, jars }) : skipped(command, program);
  }
  if (!hasCurl) throw problem('import_unreadable', 'The text contains no curl command.');
}

/** Whether the commands behind these run, how often, and as what, only running them could tell. */
const endings = new Set([
  ...['(', '{', 'for', 'while', 'until', 'select', 'if', 'case', 'function'],
  ...['alias', 'eval', 'source', '.', 'exec', 'exit'],
  ...['xargs', 'watch', 'parallel'],
]);

function whyEnding({ name }: Program): string | null {
  return name !== null && endings.has(name)
    ? `“${name}” makes this a script, which an import does not run. From here on, nothing is imported. Paste only the curl commands.`
    : null;
}

function isCurl({ name }: Program): boolean {
  return name?.toLowerCase() === 'curl';
}

function readCommand(
  { line, problem: wrong }: ShellCommand,
  { args, environment }: Program,
  { take, jars }: { take: TakeYield; jars: Set<string> },
): ReadCommand {
  if (wrong !== null) return { line: wrong.line, requests: [], reasons: [wrong.reason] };
  const requests: DraftRequest[] = [];
  const notes = new Set<string>();
  try {
    if (environment.some(isProxy)) notes.add(proxyIgnored);
    let keepsCookies = false;
    for (const settings of readOptions(args, jars)) {
      const { follow } = settings;
      keepsCookies ||= settings.keepsCookies;
      for (const note of settings.notes) notes.add(note);
      if (follow !== null)
        notes.add(`${follow} is ignored: add each redirect as its own step so that it is measured.`);
      for (const request of requestsOf(settings, line, notes)) {
        take(line, request);
        requests.push(request);
        if (requests.length > mostRequests)
          throw new ImportProblem(`The command sends more than ${mostRequests} requests.`);
      }
    }
    for (const doubt of doubtsOn(args, requests)) notes.add(doubt);
    return { line, requests, reasons: [...notes], keepsCookies };
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    return { line, requests: [], reasons: [error.message] };
  }
}

function isProxy(name: string): boolean {
  return /^(?!no_)\w+_proxy$/i.test(name);
}

const proxyIgnored = 'The proxy is ignored: a run connects to its target directly.';

/** On quotes that were lost or never were quotes. curl sends such a text as it is, so the request is kept. */
function doubtsOn(args: readonly Word[], requests: readonly DraftRequest[]): string[] {
  const bodies = requests.flatMap(({ body }) => body ?? []);
  return [
    ...(args.some(({ text }) => /[\u2018-\u201f]/.test(text))
      ? [
          'Are the typographic quotes (‘ ’ “ ”) meant? A shell takes them for text. Replace them with straight ones.',
        ]
      : []),
    ...(bodies.some(isUnquotedJson)
      ? [
          'Is this body meant as JSON? It has no double quotes, which cmd and PowerShell remove. It is kept as curl sends it. If quotes are missing, escape them: \\"name\\".',
        ]
      : []),
    ...(bodies.some((body) => /^'.*'$/s.test(body))
      ? ['Are the single quotes around the body meant? cmd takes them for text. Use double quotes there.']
      : []),
  ];
}

/** `{days:1}`, in single quotes or not. */
function isUnquotedJson(body: string): boolean {
  return body.length <= 4000 && /^'?\s*[{[][^"]*[\w$]\s*:[^"]*[}\]]\s*'?$/.test(body);
}

/** Setting a variable needs no mention unless it runs a command, and `:` does nothing. */
function skipped({ line, words, problem: wrong }: ShellCommand, { name, environment }: Program): ReadCommand {
  const setsProxy =
    environment.some(isProxy) ||
    words.some(({ text }) => /^export$/.test(name ?? '') && isProxy(text.split('=', 1)[0] ?? ''));
  if (setsProxy) return { line, requests: [], reasons: [proxyIgnored] };
  const isPlain = name !== null && /^[\w.+-]{1,40}$/.test(name);
  if (isPlain) return { line, requests: [], reasons: [`“${name}” is not curl and was skipped.`] };
  if (wrong !== null) return { line: wrong.line, requests: [], reasons: [wrong.reason] };
  const isSilent = name === null || name === ':';
  return { line, requests: [], reasons: isSilent ? [] : ['A command that is not curl was skipped.'] };
}

/**
 * The settings in the words after `curl`: one for each part between --next. The value of an option is never taken for an
 * address. Throws ImportProblem.
 *
 * @param jars files in which earlier commands keep their cookies; those of this one are added
 */
function readOptions(words: readonly Word[], jars: Set<string>): CurlSettings[] {
  let settings = emptySettings(jars);
  const all = [settings];
  const rest = words.values();
  let endsOptions = false;
  for (const { text } of rest) {
    if (endsOptions || !text.startsWith('-')) settings.addresses.push(text);
    else if (text === '--') endsOptions = true;
    else if (text.startsWith('--')) apply(text, optionNamed(text.slice(2)) ?? unknown(text), null);
    else readShort(text);
  }
  return all;

  /** `-sSL` is three options, and `-XPOST` one with its value. */
  function readShort(text: string): void {
    for (let at = 1; at < Math.max(2, text.length); at++) {
      const name = `-${text[at] ?? ''}`;
      const found = optionOfLetter(text[at] ?? '') ?? unknown(name);
      const attached = found.option.takesValue && at + 1 < text.length;
      apply(name, found, attached ? text.slice(at + 1) : null);
      if (attached) return;
    }
  }

  function apply(name: string, { option, on }: FoundOption, attached: string | null): void {
    // One that is refused says why, with its value or without.
    const isRead = option.takesValue && !option.isRefused;
    const value = isRead ? (attached ?? rest.next().value?.text) : '';
    if (value === undefined) throw new ImportProblem(`${name} has no value.`);
    if (option.name === 'next') begin();
    else option.apply(settings, { value, on, name });
  }

  function begin(): void {
    if (settings.addresses.length === 0) throw new ImportProblem('There is no address before --next.');
    settings = emptySettings(jars);
    all.push(settings);
  }
}

/** Never repeats what may be a value. */
function unknown(text: string): never {
  const [name = ''] = text.slice(0, 40).split('=', 1);
  if (name !== text.slice(0, 40) && optionNamed(name.slice(2)) !== null) {
    throw new ImportProblem(`${name} has its value after an =. curl expects it as the next word.`);
  }
  const names = curlOptions.map((option) => option.name);
  const [nearest] = nearestNames(name.replace(/^-+/, ''), names);
  const isNear = name.startsWith('--') && nearest?.[0] === name[2];
  const hint = isNear ? ` Did you mean --${nearest}?` : '';
  throw new ImportProblem(`curl ${knownVersion} has no option ${name}.${hint}`);
}

type CurlCommands = {
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Whether a command keeps cookies for itself or for later ones. */
  keepsCookies: boolean;
};

/** Nobody reads a longer list. */
const mostReasons = 1000;

/**
 * The requests of one or more curl command lines, each as curl would send it. If that is not certain, the command is left out
 * and listed with the reason. Throws import_unreadable when there is no curl command.
 */
export function parseCurl(text: string): CurlCommands {
  const requests: DraftRequest[] = [];
  const unsupported: Unsupported[] = [];
  let keepsCookies = false;
  for (const { line, requests: read, reasons, keepsCookies: keeps = false } of readCommands(text)) {
    if (requests.length + read.length > mostRequests || unsupported.length >= mostReasons) {
      unsupported.push({ line, reason: tooLong });
      break;
    }
    keepsCookies ||= keeps;
    for (const request of read) requests.push(asTemplate(request));
    for (const reason of reasons) unsupported.push({ line, reason });
  }
  return { requests, unsupported, keepsCookies };
}

const tooLong = `From this line on, nothing is imported. A text may have ${mostRequests} requests and ${mostReasons} lines that are left out.`;

/** curl has no variables of a scenario: what looks like one is text. */
function asTemplate(request: DraftRequest): DraftRequest {
  const { path, headers, body } = request;
  return {
    ...request,
    ...(path === undefined ? {} : { path: escapeTemplate(path) }),
    headers: headers.map(([name, value]) => [name, escapeTemplate(value)]),
    body: body === null ? null : escapeTemplate(body),
  };
}
