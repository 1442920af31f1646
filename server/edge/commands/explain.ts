import { placeOptions } from '../../../shared/base/option.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import { type ExplainRequest, explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { addOptions, readOptions } from './table-options.ts';
import { verb } from './verb.ts';

const placed = placeOptions(null, explainOptions);

const options = addOptions(
  verb('explain').description(
    'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown');

export async function explain(args: string[]): Promise<number> {
  const { request, format, labels } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseExplain(args: string[]): {
  request: ExplainRequest;
  format: 'json' | 'markdown' | 'terminal';
  labels: Labels[] | undefined;
} {
  const { json, markdown, labels } = options.parse(args, { from: 'user' }).opts();
  const parsed = explainRequestSchema.safeParse({ kind: 'explain', ...readOptions(options, placed) });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  const formats = ['json', 'markdown'] as const;
  const asked = { json, markdown };
  return { request: parsed.data, format: formats.find((name) => asked[name] === true) ?? 'terminal', labels };
}
