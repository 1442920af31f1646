import { assignedName, type ShellCommand, type Word } from './shell/shell-command.ts';

/** A command without what stands before its program. */
export type Program = {
  /** Without its directory and `.exe`; null when the command only sets variables. */
  name: string | null;
  args: Word[];
  /** Names of the variables that are set for it alone. */
  environment: string[];
};

/** Programs that run another one as it is. */
const wrappers = new Set(['sudo', 'time', 'command', 'nohup', 'env', 'timeout', '!']);

export function programOf({ words }: ShellCommand): Program {
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
