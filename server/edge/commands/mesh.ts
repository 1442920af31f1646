import { placeOptions } from '../../../shared/base/option.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import { type MeshRequest, meshRequestSchema } from '../../../shared/kinds/mesh/mesh.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { addOptions, readOptions } from './table-options.ts';
import { verb } from './verb.ts';

const placed = placeOptions(null, meshOptions);

const options = addOptions(
  verb('mesh').description(
    'Measures what a proxy in front of an application costs, and how much of that is TLS: direct, through the proxy, and through the proxy with TLS. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown');

export async function mesh(args: string[]): Promise<number> {
  const { request, format, labels } = parseMesh(args);
  const { mesh: kind } = await import('../../kinds/mesh/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseMesh(args: string[]): {
  request: MeshRequest;
  format: 'json' | 'markdown' | 'terminal';
  labels: Labels[] | undefined;
} {
  const { json, markdown, labels } = options.parse(args, { from: 'user' }).opts();
  const parsed = meshRequestSchema.safeParse({ kind: 'mesh', ...readOptions(options, placed) });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  const formats = ['json', 'markdown'] as const;
  const asked = { json, markdown };
  return { request: parsed.data, format: formats.find((name) => asked[name] === true) ?? 'terminal', labels };
}
