import { problem } from '../../../shared/base/problem.ts';
import { type ExplainDocument, explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { blankAnnotation } from '../../../shared/measurement/annotation.ts';
import {
  type Condition,
  type InstructionMetric,
  parseInstructionCondition,
} from '../../method/gate/condition.ts';
import { judgeInstructions } from '../../method/gate/judge-instructions.ts';
import { type GateOptions, openGateOf, readGate } from './gate.ts';
import { measure } from './measure.ts';
import { demandOneSite } from './measure-at-sites.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';
import { collect } from './verb.ts';

const options = measuringVerb(
  'explain',
  'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded.',
  explainOptions,
)
  .optionsGroup('In a build, with --instructions:')
  .option(
    '--fail-if <condition>',
    'Exit with 3 if this is certain, such as "instructions_per_transaction > 2%"; repeatable',
    collect,
  )
  .option('--strict', 'Judge by the median of the counts, not by all of them')
  .option('--against <id|file>', 'Count the limits from an earlier result: its ID or its JSON')
  .option('--junit <file>', 'Write the outcome as JUnit XML');

export async function explain(args: string[]): Promise<number> {
  const { request, format, labels, gate } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  const { readEarlier, judge } = openGateOf<ExplainDocument, Condition<InstructionMetric>>(
    gate,
    { kind, judge: judgeInstructions },
    blankAnnotation,
  );
  return measure(kind, request, format, {
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
  const read = readMeasuring(parsed, explainOptions, explainRequestSchema, { kind: 'explain' });
  const given: GateOptions = parsed.opts();
  const { failIf = [], against, junit } = given;
  if (failIf.length > 0 && !read.request.instructions) {
    throw problem('invalid_arguments', '--fail-if needs --instructions: times are judged by compare.');
  }
  if (against === 'baseline') {
    throw problem('invalid_arguments', '--against: no baseline can be pinned here. Give an ID or a file.');
  }
  if ((read.labels ?? []).length > 1) demandOneSite({ '--junit': junit });
  const gate = readGate(given, parseInstructionCondition);
  const change = gate.conditions.find(({ of }) => of === 'change');
  if (change !== undefined && against === undefined) {
    throw problem(
      'invalid_arguments',
      `--fail-if: “${change.text}” needs --against. Without it, give a number of instructions.`,
    );
  }
  return { ...read, gate };
}
