import { problem } from '../../../shared/base/problem.ts';
import { idInText } from '../../../shared/base/text.ts';
import { measure } from './measure-kind.ts';
import { readSecrets } from './side-options.ts';
import { collect, verb } from './verb.ts';

const options = verb('continue')
  .description(
    'Continues a finished run of the last 15 minutes on this machine: 2, 4, or 15 minutes longer, by its length. The result contains both parts, and its intervals are at 99 %, because the first part was looked at.',
  )
  .argument('<run>', 'ID of the run, or a link to it')
  .option(
    '--secret <name=variable>',
    'Take the value of a secret from an environment variable; repeatable',
    collect,
  )
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown');

export async function continueRun(args: string[]): Promise<number> {
  const { id, secrets, format } = parseContinue(args);
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  return measure(comparison, { continues: id }, format, { secretsFor: async () => secrets });
}

/** Throws invalid_arguments. */
export function parseContinue(args: string[]) {
  const [run] = options.parse(args, { from: 'user' }).processedArgs;
  const { secret = [], json, markdown } = options.opts();
  if (json && markdown) throw problem('invalid_arguments', 'Choose one of --json and --markdown.');
  const id = idInText(run);
  if (id === null) throw problem('invalid_arguments', 'Give the ID of a run, or a link to it.');
  const format = json ? ('json' as const) : markdown ? ('markdown' as const) : ('terminal' as const);
  return { id, secrets: readSecrets(secret), format };
}
