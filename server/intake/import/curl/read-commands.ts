import { problem } from '../../../../shared/base/problem.ts';
import type { DraftRequest } from '../draft-request.ts';
import { openYield, type TakeYield } from '../yield-limit.ts';
import { ImportProblem } from './import-problem.ts';
import { type Program, programOf } from './program-of.ts';
import { readOptions } from './read-options.ts';
import { requestsOf } from './requests-of.ts';
import type { ShellCommand } from './shell/shell-command.ts';
import { shellCommands } from './shell/shell-commands.ts';

/** What a command comes to. */
type ReadCommand = {
  line: number;
  /** None when it is left out. */
  requests: DraftRequest[];
  /** In sentences: why it is left out, or what differs. */
  reasons: string[];
};

/** Many times the steps of a scenario. */
export const mostRequests = 1000;

/** The commands of a text, up to where it becomes a script. Throws import_unreadable when none of them is curl. */
export function* readCommands(text: string): Generator<ReadCommand> {
  const take = openYield();
  let hasCurl = false;
  for (const command of shellCommands(text)) {
    const program = programOf(command);
    const ending = whyEnding(command, program);
    hasCurl ||= isCurl(program) || ending !== null;
    if (ending !== null) {
      yield { line: command.line, requests: [], reasons: [ending] };
      break;
    }
    yield isCurl(program) ? readCommand(command, program, take) : skipped(command, program);
  }
  if (!hasCurl) throw problem('import_unreadable', 'The text contains no curl command.');
}

/** Whether the commands behind these run, how often, and as what, only running them could tell. */
const endings = new Set([
  ...['(', '{', 'for', 'while', 'until', 'select', 'if', 'case', 'function'],
  ...['alias', 'eval', 'source', '.', 'exec', 'exit'],
]);

function whyEnding({ words }: ShellCommand, program: Program): string | null {
  const { name } = program;
  if (name !== null && endings.has(name)) {
    return `“${name}” makes this a script, which an import does not run. From here on, nothing is imported. Paste only the curl commands.`;
  }
  const setsProxy = !isCurl(program) && words.some(({ text }) => /^\w+_proxy(?:=|$)/i.test(text));
  return setsProxy
    ? 'A proxy is set here, and a run connects to its target directly. From here on, nothing is imported.'
    : null;
}

function isCurl({ name }: Program): boolean {
  return name?.toLowerCase() === 'curl';
}

function readCommand(
  { line, problem: wrong }: ShellCommand,
  { args, environment }: Program,
  take: TakeYield,
): ReadCommand {
  if (wrong !== null) return { line: wrong.line, requests: [], reasons: [wrong.reason] };
  const requests: DraftRequest[] = [];
  const notes = new Set<string>();
  try {
    if (environment.some((name) => /_proxy$/i.test(name))) {
      throw new ImportProblem('The command sets a proxy. A run connects to its target directly.');
    }
    for (const settings of readOptions(args)) {
      const { follow } = settings;
      if (follow !== null)
        notes.add(`${follow} is ignored: add each redirect as its own step so that it is measured.`);
      for (const request of requestsOf(settings, line, notes)) {
        take(line, request);
        requests.push(request);
        if (requests.length > mostRequests)
          throw new ImportProblem(`The command sends more than ${mostRequests} requests.`);
      }
    }
    return { line, requests, reasons: [...notes] };
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    return { line, requests: [], reasons: [error.message] };
  }
}

/** Setting a variable needs no mention unless it runs a command, and `:` does nothing. */
function skipped({ line, problem: wrong }: ShellCommand, { name }: Program): ReadCommand {
  const isPlain = name !== null && /^[\w.+-]{1,40}$/.test(name);
  if (isPlain) return { line, requests: [], reasons: [`“${name}” is not curl and was skipped.`] };
  if (wrong !== null) return { line: wrong.line, requests: [], reasons: [wrong.reason] };
  const isSilent = name === null || name === ':';
  return { line, requests: [], reasons: isSilent ? [] : ['A command that is not curl was skipped.'] };
}
