import { problem } from '../../../../shared/base/problem.ts';
import { runChildAtOnce } from '../../../base/process/children.ts';
import { readProc } from '../../../base/process/proc-files.ts';
import { permissionProblem } from './perf-problems.ts';

/** Throws perf_missing where Linux's perf is not installed, and perf_forbidden where the kernel does not let it look into itself. */
export function demandPerf(): void {
  // Ubuntu has a script of this name that fails where the package of the running kernel is missing.
  if (runChildAtOnce('perf', ['--version'], { timeout: 10_000 }).status !== 0) {
    throw problem(
      'perf_missing',
      'perf was not found. It samples where CPU time goes. Install it: apt install linux-perf (Debian), or linux-tools-generic (Ubuntu).',
    );
  }
  const paranoid = readProc('/proc/sys/kernel/perf_event_paranoid');
  const pointers = readProc('/proc/sys/kernel/kptr_restrict');
  const forbidden = permissionProblem(process.geteuid?.() ?? 0, paranoid, pointers);
  if (forbidden !== null) throw problem('perf_forbidden', forbidden);
}
