import { runnerNameSchema } from '../../../shared/measurement/runner.ts';
import { printLabels } from '../../../shared/measurement/runner-labels.ts';
import { ownName, readConfig } from '../settings/config.ts';
import { labelsIn, parsedBy } from './option-values.ts';
import { untilSignal } from './serve.ts';
import { verb } from './verb.ts';

const options = verb('runner')
  .description(
    'Measures for the dashboards on the same PostgreSQL database (DATABASE_URL), one run at a time, until you press Ctrl-C.',
  )
  .option('--labels <list>', 'Labels that a run can ask for, such as site=fra,cpu=arm', labelsIn)
  .option('--name <name>', 'Name of the runner (default: the name of this machine)');

export async function runner(args: string[]): Promise<number> {
  const { name, labels } = parseRunner(args);
  const told = untilSignal();
  const config = readConfig({ ...process.env, HOST: '' });
  const { startRunner } = await import('../start/start-runner.ts');
  const speak = saidOnce();
  const running = await startRunner(
    { ...config, runner: { measures: true, labels: labels ?? config.runner.labels } },
    name,
    ({ problem: { detail } }) => speak(`${detail} The runner continues when it is back.`),
  );
  process.stdout.write(
    `${name} is waiting for runs${has(labels ?? config.runner.labels)}.\n${running.generators}`,
  );
  const replaced = await Promise.race([told.then(() => null), running.replaced]);
  await running.close();
  if (replaced !== null) throw replaced;
  return 0;
}

/** Throws invalid_arguments. */
export function parseRunner(args: string[]) {
  const { name = ownName(), labels } = options.parse(args, { from: 'user' }).opts();
  return { name: parsedBy(runnerNameSchema, name, '--name'), labels };
}

function has(labels: Record<string, string>): string {
  return Object.keys(labels).length === 0 ? '' : ` (${printLabels(labels)})`;
}

/** A database that is away is asked every two seconds; once is enough to hear of it. */
function saidOnce(): (sentence: string) => void {
  let last = '';
  return (sentence) => {
    if (sentence === last) return;
    last = sentence;
    process.stderr.write(`${sentence}\n`);
  };
}
