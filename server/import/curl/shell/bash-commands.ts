import { problem } from '../../../../shared/problem.ts';
import { assignedName, assignmentsIn, openVariables } from './bash-variables.ts';
import { addFault, emptyWord, isBare, openLines, type ShellCommand, type Word } from './shell-command.ts';

/** What ends a command or redirects it. */
export type BashText =
  | ('\n' | ';' | ';;' | '&' | '&&' | '|' | '|&' | '||' | '(' | ')')
  | ('<' | '<<' | '<<-' | '<<<' | '<&' | '<>' | '>' | '>>' | '>&' | '>|' | '&>' | '&>>');

/** Ten for each request that a text may have. */
const mostCommands = 100_000;

/**
 * Gathers words into commands, and follows which run once, which depend on others, and which variables the text sets. A
 * command that may be skipped, repeated or changed by what stands before it has a fault.
 */
export function openBashCommands(text: string) {
  const lineOf = openLines(text);
  const commands: ShellCommand[] = [];
  const variables = openVariables();
  /** Functions and aliases of the text. */
  const redefined = new Set<string>();
  /** Loops, conditions, functions and groups that are open. */
  const nest: string[] = [];
  /** What holds for every command from here on. */
  const lasting: string[] = [];
  let command = newCommand();
  let isBegun = false;
  /** The operator before the command. */
  let joint: BashText = '\n';
  /** Whether the command before it only set variables, which cannot fail. */
  let hasSet = false;

  return {
    variables,
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
      // ((…)) is arithmetic.
      if (operator === '(') nest.push(joint === '(' && !isBegun ? '((' : '(');
      else if (operator === ')' && nest.at(-1)?.startsWith('(')) nest.pop();
      command = newCommand();
      // `a &&` and a line end are followed by the other command.
      if (operator !== '\n' || isBegun) joint = operator;
      isBegun = false;
    },

    all: () => commands,
  };

  function finish(operator: BashText): void {
    for (const word of dropKeywords(command, nest)) {
      // A loop sets its variable, and a function takes its name.
      variables.lose(word.text);
      redefined.add(word.text);
    }
    const [first] = command.words;
    if (first === undefined) return;
    // What stands before ( is the name of a function, or of an array.
    if (operator === '(') {
      redefined.add(first.text);
      variables.lose(first.text);
      return;
    }
    const inside = nest.at(-1);
    if (inside === '((') for (const { text } of command.words) variables.lose(text);
    if (inside !== undefined) command.faults.push(`is inside “${inside}”, which an import does not run`);
    if (joint === '||') command.faults.push('runs only when the command before it fails');
    if (joint === '|' || joint === '|&') {
      command.stdin ??= { ...emptyWord(), faults: ['reads the output of another command'] };
    }
    command.faults.push(...lasting);
    const isOnce = inside === undefined && /^[\n;&)]$/.test(joint) && /^[\n;&]{1,2}$/.test(operator);
    const isCertain = (isOnce || (hasSet && joint === '&&')) && !/^[&|]$/.test(operator);
    follow(isCertain);
    if (commands.length >= mostCommands) {
      throw problem(
        'import_unreadable',
        `Line ${command.line}: a text may have ${mostCommands} commands, and this one has more.`,
      );
    }
    commands.push(command);
  }

  /** What the command does to those behind it. */
  function follow(isCertain: boolean): void {
    const { words } = command;
    const set = assignmentsIn(words);
    hasSet = isCertain && set !== null && words.every(({ faults }) => faults.length === 0);
    if (set !== null) {
      for (const word of set) variables.assign(word, isCertain);
      if (words[0]?.text === 'readonly') for (const { text } of words) variables.declare(text);
    }
    if (set !== null && words.some(({ text }) => /^\w+_proxy(?:=|$)/i.test(text)))
      addFault(lasting, 'comes after a proxy is set. A run connects to its target directly');
    if (set !== null) return;
    const name = words.find((word) => assignedName(word) === null)?.text ?? '';
    if (redefined.has(name))
      command.faults.push('is a function or alias that this text defines, and imports run no code');
    const own = /^(?:command|builtin)$/.test(name) ? (words[1]?.text ?? '') : name;
    if (/^(?:declare|typeset|local|export|readonly)$/.test(own))
      for (const { text } of words) variables.declare(text);
    if (own === 'alias') for (const { text } of words) redefined.add(text.split('=', 1)[0] ?? '');
    if (unforeseeable.test(own) || redefined.has(name) || command.words[0]?.faults.length !== 0)
      variables.loseAll();
    // Without a program, exec redirects what the shell prints.
    if (isCertain && (own === 'exit' || (own === 'exec' && words.length > 1)))
      addFault(lasting, `comes after “${own}”, which ends the script`);
  }
}

function newCommand(): ShellCommand {
  return { line: 1, words: [], stdin: null, faults: [] };
}

const openers = new Set(['for', 'while', 'until', 'select', 'if', 'case', 'function', '{']);
const closers = new Set(['done', 'fi', 'esac', '}']);
const joiners = new Set(['do', 'then', 'else', 'elif', '!']);

/** Removes the keywords from the beginning, and keeps track of open blocks. Returns the names that they give. */
function dropKeywords({ words }: ShellCommand, nest: string[]): Word[] {
  for (;;) {
    const [first, second] = words;
    if (!isBare(first)) return [];
    const keyword = first.text;
    if (openers.has(keyword)) {
      nest.push(keyword);
      words.shift();
      // What follows is no command: names, values and patterns.
      if (!/^(for|select|case|function)$/.test(keyword)) continue;
      words.length = 0;
      return keyword === 'case' || second === undefined ? [] : [second];
    } else if (closers.has(keyword)) {
      nest.pop();
      words.length = 0;
    } else if (joiners.has(keyword)) words.shift();
    else return [];
  }
}

/** Programs of the shell that set variables which the text does not show. */
const unforeseeable =
  /^(\.|source|eval|read|unset|declare|typeset|local|let|printf|mapfile|readarray|getopts|coproc)$/;
