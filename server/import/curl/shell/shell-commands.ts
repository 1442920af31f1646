import { detectShell, type Shell } from './detect-shell.ts';
import { readBash } from './read-bash.ts';
import { readCmd } from './read-cmd.ts';
import { readPowershell } from './read-powershell.ts';
import type { ShellCommand } from './shell-command.ts';

/** The commands of a text, for whichever shell it is written. Throws import_unreadable for a quote without an end. */
export function shellCommands(text: string): ShellCommand[] {
  const plain = withoutFences(withLineFeeds(text.replace(/^\uFEFF/, '')));
  return readers[detectShell(plain)](plain);
}

const readers: Record<Shell, (text: string) => ShellCommand[]> = {
  bash: readBash,
  cmd: readCmd,
  powershell: readPowershell,
};

/** A file of Windows. Where only some lines end so, the others are text. */
export function withLineFeeds(text: string): string {
  return /(^|[^\r])\n/.test(text) ? text : text.replaceAll('\r\n', '\n');
}

/** As a block of Markdown is copied. */
function withoutFences(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (first === last || !/^\s*```\s*[\w-]*\s*$/.test(lines[first] ?? '')) return text;
  return lines
    .map((line, index) => (index === first || (index === last && line.trim() === '```') ? '' : line))
    .join('\n');
}
