import { problem } from '../../../../shared/problem.ts';
import { emptyWord, isBare, openLines, type ShellCommand, type Word } from './shell-command.ts';

/** What ends a command or redirects it. */
export type BashText =
  | ('\n' | ';' | ';;' | '&' | '&&' | '|' | '|&' | '||' | '(' | ')')
  | ('<' | '<<' | '<<-' | '<<<' | '<&' | '<>' | '>' | '>>' | '>&' | '>|' | '&>' | '&>>');

/** In characters, of all uses together: as much as the text itself may have. */
const mostFilledIn = 4 * 1024 * 1024;

/**
 * Gathers words into commands, and follows which run once, which depend on others, and which variables the text sets. A
 * command that may be skipped or repeated has a fault.
 */
export function openBashCommands(text: string) {
  const lineOf = openLines(text);
  const commands: ShellCommand[] = [];
  const variables = new Map<string, string>();
  /** Loops, conditions, functions and groups that are open. */
  const nest: string[] = [];
  let command = newCommand();
  let isBegun = false;
  /** The operator before the command. */
  let joint: BashText = '\n';
  let filledIn = 0;

  return {
    variables: { get: fillIn },
    current: () => command,
    isEmpty: () => !isBegun,

    /** Says where a word begins. */
    begin(at: number): void {
      if (!isBegun) command.line = lineOf(at);
      isBegun = true;
    },

    add(word: Word): void {
      command.words.push(word);
    },

    end(operator: BashText): void {
      finish(operator);
      if (operator === '(') nest.push('(');
      else if (operator === ')' && nest.at(-1) === '(') nest.pop();
      command = newCommand();
      // `a &&` and a line end are followed by the other command.
      if (operator !== '\n' || isBegun) joint = operator;
      isBegun = false;
    },

    all: () => commands,
  };

  /** Variables may contain one another, so a few lines can expand to more text than fits into memory. */
  function fillIn(name: string): string | undefined {
    const value = variables.get(name);
    filledIn += value?.length ?? 0;
    if (filledIn > mostFilledIn) {
      throw problem('import_unreadable', 'The variables in this text expand to more than 4 MiB.');
    }
    return value;
  }

  function finish(operator: BashText): void {
    dropKeywords(command, nest);
    const [first] = command.words;
    // What stands before ( is the name of a function, or of an array.
    if (first === undefined || operator === '(') return;
    const inside = nest.at(-1);
    if (inside !== undefined) command.faults.push(`is inside “${inside}”, which an import does not run`);
    if (joint === '||') command.faults.push('runs only when the command before it fails');
    if (joint === '|' || joint === '|&') {
      command.stdin ??= { ...emptyWord(), faults: ['reads the output of another command'] };
    }
    if (!setVariables(command, inside === undefined && joint !== '||', variables)) forget(first, variables);
    commands.push(command);
  }
}

function newCommand(): ShellCommand {
  return { line: 1, words: [], stdin: null, faults: [] };
}

const openers = new Set(['for', 'while', 'until', 'select', 'if', 'case', 'function', '{']);
const closers = new Set(['done', 'fi', 'esac', '}']);
const joiners = new Set(['do', 'then', 'else', 'elif', '!']);

/** Removes the keywords from the beginning, and keeps track of open blocks. */
function dropKeywords({ words }: ShellCommand, nest: string[]): void {
  for (;;) {
    const [first] = words;
    if (!isBare(first)) return;
    const keyword = first.text;
    if (openers.has(keyword)) {
      nest.push(keyword);
      words.shift();
      // What follows is no command: names, values and patterns.
      if (/^(for|select|case|function)$/.test(keyword)) words.length = 0;
    } else if (closers.has(keyword)) {
      nest.pop();
      words.length = 0;
    } else if (joiners.has(keyword)) words.shift();
    else return;
  }
}

const assignment = /^([A-Za-z_]\w*)=/;

/** The name that a word sets; null when it sets none. */
export function assignedName(word: Word): string | null {
  const match = assignment.exec(word.text);
  return match !== null && match[0].length <= word.bare ? (match[1] ?? null) : null;
}

/** Whether the command does nothing else. A variable whose value is uncertain counts as unknown afterwards. */
function setVariables({ words }: ShellCommand, isCertain: boolean, variables: Map<string, string>): boolean {
  const isExport = isBare(words[0]) && words[0].text === 'export';
  const assignments = isExport ? words.slice(1) : words;
  if (!assignments.every((word) => assignedName(word) !== null)) return false;
  for (const word of assignments) {
    const name = assignedName(word) ?? '';
    if (isCertain && word.faults.length === 0) variables.set(name, word.text.slice(name.length + 1));
    else variables.delete(name);
  }
  return true;
}

/** Programs of the shell that set variables which the text does not show. */
const unforeseeable =
  /^(\.|source|eval|read|unset|declare|typeset|local|let|printf|mapfile|readarray|getopts)$/;

function forget(program: Word, variables: Map<string, string>): void {
  if (unforeseeable.test(program.text) || program.faults.length > 0) variables.clear();
}
