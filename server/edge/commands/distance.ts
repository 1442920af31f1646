import { placeOptions } from '../../../shared/base/option.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import { linkNames } from '../../../shared/kinds/comparison/link-names.ts';
import { type DistanceRequest, distanceRequestSchema } from '../../../shared/kinds/distance/distance.ts';
import { distanceOptions } from '../../../shared/kinds/distance/options.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { addOptions, readOptions } from './table-options.ts';
import { verb } from './verb.ts';

const placed = placeOptions(null, distanceOptions);

const options = addOptions(
  verb('distance').description(
    'Measures what a new connection costs at a distance: TCP, TLS 1.3 and TLS 1.2, full and resumed, over links of several round trips. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .option(
    '--links <names...>',
    'Links, such as lan metro continent mobile 25ms 25ms,50mbit,1%,iw20,bbr (default: the four names)',
  )
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink')
  .option('--markdown', 'Print a report in Markdown');

export async function distance(args: string[]): Promise<number> {
  const { request, format, labels } = parseDistance(args);
  const { distance: kind } = await import('../../kinds/distance/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseDistance(args: string[]): {
  request: DistanceRequest;
  format: 'json' | 'markdown' | 'terminal';
  labels: Labels[] | undefined;
} {
  const { json, markdown, links, labels } = options.parse(args, { from: 'user' }).opts();
  const parsed = distanceRequestSchema.safeParse({
    kind: 'distance',
    links: links?.flatMap(linksIn),
    ...readOptions(options, placed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  const formats = ['json', 'markdown'] as const;
  const asked = { json, markdown };
  return { request: parsed.data, format: formats.find((name) => asked[name] === true) ?? 'terminal', labels };
}

const linkStart = new RegExp(`,(?=\\s*(?:${linkNames.join('|')}|[\\d.]+\\s*ms))`, 'i');

/** A comma is between two links where one begins: `metro,25ms,50mbit` is two. */
function linksIn(text: string): string[] {
  return text.split(linkStart).map((each) => each.trim());
}
