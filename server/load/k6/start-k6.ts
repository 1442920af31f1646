import { problem } from '../../../shared/problem.ts';
import { startChild } from '../../process/children.ts';

export type K6Process = {
  pid: number;
  /** Rejects when it ends, or prints what is not one of its samples; never resolves. */
  failed: Promise<never>;
  /** At once, by force: it has nothing to tidy up. */
  stop(): Promise<void>;
};

/** Of a line; a sample is a few hundred bytes, and more with each step of the scenario. */
const longestLine = 4 * 2 ** 20;
const keptErrors = 2000;

/**
 * One k6 with its segment of the virtual users. The script goes in by its standard input, as it may hold values of secrets,
 * and samples come out of its standard output.
 * @param read of each line; gives a reason for one that k6 would not have written
 * @param ca file of the authority to trust
 */
export async function startK6(
  script: string,
  { segment, ca }: { segment: { index: number; of: number }; ca: string | null },
  read: (line: string) => string | null,
): Promise<K6Process> {
  const child = startChild('k6', argumentsOf(segment), {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentOf(ca),
  });
  const { promise: failed, reject } = Promise.withResolvers<never>();
  failed.catch(() => {});
  let stopped = false;
  let errors = '';
  const fail = (detail: string) => {
    reject(problem('k6_failed', detail));
    child.kill('SIGKILL');
  };
  const ended = new Promise<void>((resolve) => {
    child.once('error', ({ message }) => {
      fail(`k6 did not start: ${message}.`);
      resolve();
    });
    child.once('close', (code, signal) => {
      if (!stopped) fail(`k6 ended unexpectedly (${signal ?? `exit code ${code}`})${lastOf(errors)}.`);
      resolve();
    });
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-keptErrors);
  });
  readLines(child.stdout.setEncoding('utf8'), (line) => {
    const reason = line.length > longestLine ? 'a line that does not end' : read(line);
    if (reason !== null) fail(`k6 printed ${reason}: “${line.slice(0, 80)}”.`);
  });
  // It may end before it has read the script; `close` reports that.
  child.stdin.on('error', () => {});
  child.stdin.end(script);
  if (child.pid === undefined) {
    await ended;
    return failed;
  }
  return {
    pid: child.pid,
    failed,
    async stop() {
      stopped = true;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function argumentsOf({ index, of }: { index: number; of: number }): string[] {
  const edge = (at: number) => `${at}/${of}`;
  const edges = Array.from({ length: of + 1 }, (_, at) => edge(at)).join(',');
  const segments = [
    `--execution-segment=${edge(index)}:${edge(index + 1)}`,
    `--execution-segment-sequence=${edges}`,
  ];
  // No REST API, no report of its use to anybody, and no extension fetched.
  const quiet = ['--quiet', '--no-color', '--address=', '--no-usage-report', '--log-format=raw'];
  return ['run', ...quiet, '--out=json=-', ...(of === 1 ? [] : segments), '-'];
}

/** Nothing of ours is handed on: no proxy, no token. HTTP/2 is off, as both sides speak HTTP/1.1. */
function environmentOf(ca: string | null): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    GODEBUG: 'http2client=0',
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    ...(ca === null ? {} : { SSL_CERT_FILE: ca }),
  };
}

function readLines(output: NodeJS.ReadableStream, tell: (line: string) => void): void {
  let rest = '';
  output.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') tell(line);
    if (rest.length > longestLine) tell(rest);
  });
}

function lastOf(errors: string): string {
  const last = errors.trim().split('\n').at(-1) ?? '';
  return last === '' ? '' : `: ${last.slice(0, 300)}`;
}
