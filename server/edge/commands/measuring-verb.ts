import type { z } from 'zod';
import type { PlacedOption } from '../../../shared/base/option.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { addOptions, problemOfOptions, readOptions } from './table-options.ts';
import { verb } from './verb.ts';

/** The command line of a verb that measures: the options of its table, and those that every such verb has. */
export function measuringVerb(name: string, description: string, options: readonly PlacedOption[]) {
  return addOptions(
    verb(name).description(`${description} Progress goes to stderr, the result to stdout.`),
    options,
  )
    .option(...labelsOption)
    .option('--json', 'Print the JSON document of the permalink')
    .option('--markdown', 'Print a report in Markdown');
}

type MeasuringVerb = Omit<Parameters<typeof readOptions>[0], 'opts'> & {
  opts(): { labels?: Labels[]; json?: true; markdown?: true };
};

/**
 * What its words ask for.
 * @param own parts of the request that the verb reads itself
 * Throws invalid_arguments.
 */
export function readMeasuring<Schema extends z.ZodType>(
  parsed: MeasuringVerb,
  options: readonly PlacedOption[],
  schema: Schema,
  own: object,
): { request: z.output<Schema>; format: 'json' | 'markdown' | 'terminal'; labels: Labels[] | undefined } {
  const { labels, json, markdown } = parsed.opts();
  const request = schema.safeParse({ ...readOptions(parsed, options), ...own });
  if (!request.success) throw problemOfOptions(request.error, options);
  return { request: request.data, format: json ? 'json' : markdown ? 'markdown' : 'terminal', labels };
}
