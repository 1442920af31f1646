import { join } from 'node:path';
import { problem } from '../../../shared/base/problem.ts';
import { readLine } from '../../method/tool-line.ts';
import { readConfig } from '../settings/config.ts';
import { verb } from './verb.ts';

const options = verb('inspect')
  .description(
    'Runs your load generator against a counting listener on this machine and reports what it did: connections, resumed sessions, negotiated TLS, open or closed loop, whether the tool was the limit, and what its figure means. The address of the listener replaces that of the URLs among the arguments, and is in TLS_TOLL_URL. Where the tool cannot be isolated from the network, only wrk, ab, h2load, hey, oha, and bombardier start, with arguments that lead nowhere else. The tool must skip certificate verification, or trust NODE_EXTRA_CA_CERTS.',
  )
  .usage('[options] -- <command…>')
  .argument(
    '<command...>',
    'Load generator with its arguments, such as wrk -t2 -c64 -d5s https://shop.example.com/',
  )
  .option('--limit <seconds>', 'End the tool after this many seconds (default: 300)')
  .option('--json', 'Print the counts as JSON');

export async function inspect(args: string[]): Promise<number> {
  const { command, limitMs, json } = parseInspection(args);
  const { target, words, doubt } = readLine(command);
  const { openAuthority } = await import('../../targets/certificates/certificate-authority.ts');
  const { runTool } = await import('../../drive/lab/run-tool.ts');
  const { judgeTool } = await import('../../method/tool-verdict.ts');
  const { printInspection } = await import('./print-inspection.ts');
  const { untilSignal } = await import('./serve.ts');
  const secure = target?.protocol !== 'http:';
  const directory = join(readConfig(process.env).dataDirectory, 'authority');
  const { certPem, keyPem } = await openAuthority(directory);
  const giveUp = new AbortController();
  void untilSignal().then(() => giveUp.abort(problem('run_cancelled', 'The inspection was canceled.')));
  const counts = await runTool(
    {
      ...{
        command: words,
        doubt,
        environment: environmentOfTool(),
        directory: process.cwd(),
        secure,
        limitMs,
      },
      path: target === null ? '/' : `${target.pathname}${target.search}`,
      identity: { certPem, keyPem, caFile: join(directory, 'ca.pem') },
    },
    giveUp.signal,
  );
  const verdict = judgeTool(counts, secure);
  process.stdout.write(
    json
      ? `${JSON.stringify({ ...counts, verdict }, null, 2)}\n`
      : printInspection({ counts, verdict, tool: command[0] ?? '', target }),
  );
  return counts.requests === 0 ? 2 : 0;
}

/** Throws invalid_arguments. */
export function parseInspection(args: string[]) {
  const { json = false, limit = '300' } = options.parse(args, { from: 'user' }).opts();
  const seconds = Number(limit);
  if (!(seconds >= 1 && seconds <= 3600)) {
    throw problem('invalid_arguments', `--limit takes seconds from 1 to 3600, not "${limit}".`);
  }
  return { command: [...options.args], limitMs: Math.round(seconds * 1000), json };
}

/** The same environment that the command would have without TLS Toll. */
function environmentOfTool(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
