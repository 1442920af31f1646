import { problem } from '../../../../shared/base/problem.ts';
import type { DraftRequest } from '../draft-request.ts';
import { openYield, type TakeYield } from '../yield-limit.ts';
import { ImportProblem } from './import-problem.ts';
import { type Program, programOf } from './program-of.ts';
import { readOptions } from './read-options.ts';
import { requestsOf } from './requests-of.ts';
import type { ShellCommand, Word } from './shell/shell-command.ts';
import { shellCommands } from './shell/shell-commands.ts';

/** What a command comes to. */
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
export const mostRequests = 1000;

/** The commands of a text, up to where it becomes a script. Throws import_unreadable when none of them is curl. */
export function* readCommands(text: string): Generator<ReadCommand> {
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
