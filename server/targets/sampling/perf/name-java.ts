import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { problem } from '../../../../shared/base/problem.ts';
import { runChild } from '../../../base/process/children.ts';
import { programOf } from '../../../base/process/proc-files.ts';

const longestMs = 20_000;

/**
 * Has each virtual machine of Java among the processes write the names of what it has compiled so far where perf reads them
 * (`jcmd PID Compiler.perfmap`, since JDK 17). Throws symbols_missing.
 */
export async function nameJava(pids: readonly number[], signal: AbortSignal): Promise<void> {
  for (const pid of pids) {
    const program = programOf(pid);
    if (program === null || basename(program) !== 'java') continue;
    const jcmd = join(dirname(program), 'jcmd');
    if (!existsSync(jcmd)) {
      throw problem(
        'symbols_missing',
        'jcmd was not found beside java, which names the functions that Java has compiled. Install it: apt install default-jdk-headless.',
      );
    }
    const { stdout } = await runChild(jcmd, [`${pid}`, 'Compiler.perfmap'], { timeout: longestMs, signal });
    if (/exception|unknown/i.test(stdout)) {
      throw problem(
        'symbols_missing',
        'This JDK cannot name the functions that it has compiled. Use JDK 17 or later.',
      );
    }
  }
}
