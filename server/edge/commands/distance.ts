import { distanceRequestSchema } from '../../../shared/kinds/distance/distance.ts';
import { distanceOptions } from '../../../shared/kinds/distance/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';

const options = measuringVerb(
  'distance',
  'Measures what a new connection costs at a distance: TCP, TLS 1.3 and TLS 1.2, full and resumed, over links of several round trips.',
  distanceOptions,
);

export async function distance(args: string[]): Promise<number> {
  const { request, format, labels } = parseDistance(args);
  const { distance: kind } = await import('../../kinds/distance/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseDistance(args: string[]) {
  return readMeasuring(options.parse(args, { from: 'user' }), distanceOptions, distanceRequestSchema, {
    kind: 'distance',
  });
}
