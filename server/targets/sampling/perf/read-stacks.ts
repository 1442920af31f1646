import { exitCodeOf, startChild } from '../../../base/process/children.ts';
import { cutLines } from '../../../base/process/cut-lines.ts';
import { longestLine, SampleParser } from '../../../method/profile/parse-samples.ts';
import type { Sample } from '../../../method/profile/stack.ts';
import { problemOfPerf } from './perf-problems.ts';
import { collect, perfEnvironment } from './record-stacks.ts';

const longestMs = 120_000;

/**
 * Every sample of these processes, in the order of time. Whole cores were recorded, and finding the callers of a sample takes milliseconds: those
 * of other processes are passed over.
 * Throws perf_failed, and the reason of the signal.
 */
export async function readStacks(
  path: string,
  directory: string,
  pids: readonly number[],
  take: (sample: Sample) => void,
  signal: AbortSignal,
): Promise<void> {
  const child = startChild(
    'perf',
    // Names of what a server compiled are in a file of the user that it runs as.
    [
      ...['script', '--input', path, '--pid', pids.join(','), '--force', '--no-inline'],
      ...['--fields', 'pid,tid,time,ip,sym,dso'],
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: perfEnvironment(directory),
      signal: AbortSignal.any([signal, AbortSignal.timeout(longestMs)]),
      killSignal: 'SIGKILL',
    },
  );
  const said = collect(child);
  const ended = exitCodeOf(child);
  const parser = new SampleParser();
  for await (const line of cutLines(child.stdout, longestLine)) {
    const sample = parser.push(line);
    if (sample !== null) take(sample);
  }
  const last = parser.end();
  if (last !== null) take(last);
  const code = await ended;
  signal.throwIfAborted();
  if (code !== 0) throw problemOfPerf(said());
}
