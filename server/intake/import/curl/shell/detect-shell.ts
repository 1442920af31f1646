import { promptAt } from './prompts.ts';
import { lineEnd } from './shell-command.ts';

type Shell = 'bash' | 'cmd' | 'powershell';

/**
 * The shell that a text is written for, by what it uses first: a line end after a backslash or a caret, a word in single
 * quotes, a caret before a quote, or a prompt. Bash when nothing tells.
 */
export function detectShell(text: string): Shell {
  if (text.split('\n').slice(0, -1).some(continuesInPowershell) && !text.includes('\\\n'))
    return 'powershell';
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    switch (text[at]) {
      case '\\':
        if (next === '\n') return 'bash';
        at += 1;
        break;
      case '^':
        if (next === '\n' || next === '"') return 'cmd';
        break;
      case "'":
        return 'bash';
      case '"':
        at = closingQuote(text, at);
        break;
      case '#':
        // A comment, but in a word.
        if (/^\s?$/.test(text.slice(Math.max(0, at - 1), at))) at = lineEnd(text, at);
        break;
      default:
        if (at > 0 && text[at - 1] !== '\n') break;
        if (promptAt(text, at, 'powershell') > 0) return 'powershell';
        if (promptAt(text, at, 'drive') > 0) return 'cmd';
    }
  }
  return 'bash';
}

/** What is inside of double quotes says nothing. */
function closingQuote(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' || text[end] === '^' ? 2 : 1;
  return end;
}

/** No other shell has a use for a backtick at the end of a line, but in a comment. */
function continuesInPowershell(line: string): boolean {
  return /[ \t]`$/.test(line) && !line.trimStart().startsWith('#');
}
