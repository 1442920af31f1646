import { splitArguments } from './crt-arguments.ts';
import { promptAt } from './prompts.ts';
import { openLines, type ShellCommand } from './shell-command.ts';

/**
 * The commands of a text as cmd reads them, in its two steps: cmd itself takes carets away and ends commands, then the
 * program splits what is left into words. A caret takes the meaning from the character behind it; before the end of a line it
 * joins two lines, and a second line end is text.
 */
export function readCmd(text: string): ShellCommand[] {
  const lineOf = openLines(text);
  const commands: ShellCommand[] = [];
  /** Character by character. */
  let line: string[] = [];
  let startedAt: number | null = null;
  let quoted = false;
  let problem: ShellCommand['problem'] = null;
  let joint = '\n';
  let at = promptAt(text, 0, 'cmd');

  while (at < text.length) {
    const character = text[at] as string;
    if (startedAt === null && /[ \t]/.test(character)) at += 1;
    else if (character === '^' && !quoted) {
      const next = text[at + 1] === '\n' ? at + 2 : at + 1;
      take(text[next] ?? '');
      at = next + 1;
    } else if (character === '\n') {
      end('\n');
      at += 1 + promptAt(text, at + 1, 'cmd');
    } else if (!quoted && (character === '&' || character === '|')) {
      const isDouble = text[at + 1] === character;
      end(isDouble ? character + character : character);
      at += isDouble ? 2 : 1;
    } else if (!quoted && (character === '<' || character === '>')) at = skipRedirection(at);
    else {
      if (character === '"') quoted = !quoted;
      const variable = character === '%' ? variableAt(text, at) : null;
      if (variable !== null) {
        refuse(`The value of the variable ${variable} is unknown. Paste the command with its value.`);
      }
      take(character);
      at += 1;
    }
  }
  end('\n');
  return commands;

  function take(character: string): void {
    startedAt ??= at;
    line.push(character);
  }

  function end(operator: string): void {
    const { words, isOpen } = splitArguments(line.join(''));
    if (words.length > 0 && !/^(rem|::.*)$/i.test(words[0]?.text ?? '')) {
      if (isOpen) refuse('A quote is not closed on its line. Add the quote that is missing.');
      if (joint === '||') refuse('The command runs only when the one before it fails.');
      commands.push({ line: lineOf(startedAt ?? at), words, problem });
    }
    joint = operator;
    line = [];
    startedAt = null;
    quoted = false;
    problem = null;
  }

  function refuse(reason: string): void {
    problem ??= { line: lineOf(at), reason };
  }

  /** With a number before it, and the file behind it. */
  function skipRedirection(from: number): number {
    if (/^\d$/.test(line.at(-1) ?? '') && /^[ \t]$/.test(line.at(-2) ?? ' ')) line.pop();
    const target = /[<>]+&?[ \t]*(?:"[^"\n]*"|[^\s&|<>]*)/y;
    target.lastIndex = from;
    return from + (target.exec(text)?.[0].length ?? 1);
  }
}

const variable = /%([A-Za-z_]\w*)(?::[^%\n]{0,100})?%/y;

/** `%NAME%`. What begins with two hexadecimal digits is a part of an address, unless cmd knows it. */
function variableAt(text: string, at: number): string | null {
  variable.lastIndex = at;
  const name = variable.exec(text)?.[1];
  if (name === undefined || (/^[0-9A-F]{2}/i.test(name) && !/^(CD|DATE)$/i.test(name))) return null;
  return `%${name.slice(0, 40)}%`;
}
