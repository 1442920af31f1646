import { problem } from '../../../shared/base/problem.ts';
import { schemeOf } from '../../../shared/base/transport.ts';
import {
  type ExplainDocument,
  type ExplainRequest,
  explainRequestSchema,
} from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import {
  type Condition,
  type InstructionMetric,
  judgeInstructions,
  parseInstructionCondition,
} from '../../method/gate.ts';
import { type NamedRun, nameRun, readRun, withStored } from './finished-runs.ts';
import { type GateOptions, openGateOf, readGate } from './gate-options.ts';
import { demandOneSite, measure, measuringVerb, readMeasuring, readOptions } from './measure-kind.ts';
import { pidsIn } from './option-values.ts';
import { targetOf, withBothAddresses } from './target-options.ts';
import { collect } from './verb.ts';

const options = measuringVerb(
  'explain',
  'Shows what the CPU time of a request is spent on, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server on this machine under load.',
  explainOptions,
)
  .option(
    '--run <run>',
    'Explain a finished run, with its sides, target, and load: its ID, a link to it, or a file that compare --json wrote',
  )
  .optionsGroup('Instead of starting a server:')
  .option('--http <url>', 'Address of the HTTP side (default: that of --https, on port 80 or 8080)')
  .option('--https <url>', 'Address of the HTTPS side (default: that of --http, on port 443 or 8443)')
  .option('--ca <file>', 'PEM file of the CA that signed the HTTPS side’s certificate')
  .option('--trust <sha256>', 'Trust the certificate with this fingerprint, for this run only')
  .option(
    '--pid <list>',
    'Process of the target, or several with commas (default: found by its listening port)',
    pidsIn,
  )
  .optionsGroup('In a build, with --instructions:')
  .option(
    '--fail-if <condition>',
    'Exit with 3 if this is certain, such as "instructions_per_transaction > 2%"; repeatable',
    collect,
  )
  .option('--strict', 'Fail on the median of the counts instead of all of them')
  .option('--against <id|file>', 'Limit the change since this result: an ID or a JSON file')
  .option('--junit <file>', 'Write the outcome as JUnit XML');

export async function explain(args: string[]): Promise<number> {
  const { request, run, format, labels, gate } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  const { readEarlier, judge } = openGateOf<ExplainDocument, Condition<InstructionMetric>>(
    gate,
    { kind, judge: judgeInstructions },
    blankAnnotation,
  );
  const asked = run === null ? request : await requestOf(run, request);
  return measure(kind, asked, format, {
    labels,
    async secretsFor(api) {
      await readEarlier(api);
      return {};
    },
    judge,
  });
}

/** Throws invalid_arguments, file_unreadable. */
export function parseExplain(args: string[]) {
  const parsed = options.parse(args, { from: 'user' });
  const { run } = parsed.opts();
  const read = run === undefined ? { ...readSides(parsed), run: null } : readOfRun(parsed, run);
  return { ...read, gate: gateIn(parsed.opts(), read) };
}

type Parsed = ReturnType<typeof options.parse>;

function gateIn(given: GateOptions, { request, labels = [] }: ReturnType<typeof readSides>) {
  const { failIf = [], against, junit } = given;
  if (failIf.length > 0 && !request.instructions) {
    throw problem('invalid_arguments', '--fail-if needs --instructions: times are judged by compare.');
  }
  if (against === 'baseline') {
    throw problem('invalid_arguments', '--against: no reference can be pinned here. Give an ID or a file.');
  }
  if (labels.length > 1) demandOneSite({ '--junit': junit });
  const gate = readGate(given, parseInstructionCondition);
  const change = gate.conditions.find(({ of }) => of === 'change');
  if (change !== undefined && against === undefined) {
    throw problem(
      'invalid_arguments',
      `--fail-if: “${change.text}” needs --against. Without it, give a number of instructions.`,
    );
  }
  return gate;
}

function readOfRun(parsed: Parsed, text: string) {
  const own = Object.keys(readOptions(parsed, explainOptions)).find((name) => !beside.includes(name));
  const other =
    explainOptions.find(({ id }) => id === own)?.option.flag ??
    own ??
    ['http', 'https', 'ca', 'trust', 'pid'].find((name) => Object.hasOwn(parsed.opts(), name));
  if (other !== undefined) {
    throw problem(
      'invalid_arguments',
      `--run already names the target and its load. Leave out --${other.replace('--', '')}.`,
    );
  }
  const read = readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain' });
  return { ...read, run: nameRun(text, '--run') };
}

/** Options that `--run` does not set. */
const beside = ['launches', 'seed'];

function readSides(parsed: Parsed) {
  const read = (own: object) =>
    readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain', ...own });
  const { request } = read({});
  const needed = new Set([schemeOf(request.baseline), schemeOf(request.comparison)]);
  const { http, https, ca, trust, pid } = withBothAddresses(parsed.opts(), needed);
  if ((http ?? https) === undefined) return read({});
  if (parsed.getOptionValueSource('target' as never) === 'cli') {
    throw problem(
      'invalid_arguments',
      '--target names a server to start, --http and --https a running one. Give one or the other.',
    );
  }
  return read({ target: targetOf({ http, https, ca, trust, pid }, {}, needed) });
}

async function requestOf(
  named: NamedRun,
  { launches, seed }: Pick<ExplainRequest, 'launches' | 'seed'>,
): Promise<ExplainRequest> {
  const { comparison } = await import('../../kinds/comparison/kind.ts');
  const { explainRequestOf } = await import('../../kinds/comparison/run-explanation.ts');
  const run = await withStored([named], (read) => readRun(named, comparison, read));
  return { ...explainRequestOf(run), launches, seed };
}
