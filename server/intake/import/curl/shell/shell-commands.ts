import { problem } from '../../../../../shared/base/problem.ts';
import { detectShell } from './detect-shell.ts';
import { readBash } from './read-bash.ts';
import { readCmd } from './read-cmd.ts';
import type { ShellCommand } from './shell-command.ts';

/**
 * The commands of a text for bash or cmd. Throws import_unreadable for a quote without an end, and for curl in PowerShell, whose
 * versions pass on quotes differently.
 */
export function shellCommands(text: string): Iterable<ShellCommand> {
  const plain = withoutFences(withLineFeeds(text.replace(/^\uFEFF/, '')));
  const shell = detectShell(plain);
  if (shell === 'powershell') {
    throw problem(
      'import_unreadable',
      'Commands for PowerShell cannot be imported. In the browser, choose Copy as cURL from the same menu.',
    );
  }
  return shell === 'cmd' ? readCmd(plain) : readBash(plain);
}

/** A file of Windows. Where only some lines end so, the others are text. */
function withLineFeeds(text: string): string {
  return /(^|[^\r])\n/.test(text) ? text : text.replaceAll('\r\n', '\n');
}

/** As a block of Markdown is copied. */
function withoutFences(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first === last || !/^```\s*[\w-]*$/.test((lines[first] ?? '').trim())) return text;
  return lines
    .map((line, index) => (index === first || (index === last && line.trim() === '```') ? '' : line))
    .join('\n');
}
