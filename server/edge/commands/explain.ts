import { explainRequestSchema } from '../../../shared/kinds/explain/explain.ts';
import { explainOptions } from '../../../shared/kinds/explain/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';

const options = measuringVerb(
  'explain',
  'Says what the CPU of a request goes to, over HTTP and HTTPS: encryption, copying, the kernel, and more. Linux’s perf samples a server of this machine while it is loaded.',
  explainOptions,
);

export async function explain(args: string[]): Promise<number> {
  const { request, format, labels } = parseExplain(args);
  const { explain: kind } = await import('../../kinds/explain/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseExplain(args: string[]) {
  return readMeasuring(options.parse(args, { from: 'user' }), explainOptions, explainRequestSchema, {
    kind: 'explain',
  });
}
