import { speedOptions } from '../../../shared/kinds/speed/options.ts';
import { speedRequestSchema } from '../../../shared/kinds/speed/speed.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';

const options = measuringVerb(
  'speed',
  'Measures the primitives of TLS: digests and ciphers at six sizes, signatures, key agreement and key encapsulation. Where the openssl program is installed, openssl speed measures the same primitives alternately.',
  speedOptions,
);

export async function speed(args: string[]): Promise<number> {
  const { request, format, labels } = parseSpeed(args);
  const { speed: kind } = await import('../../kinds/speed/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseSpeed(args: string[]) {
  return readMeasuring(options.parse(args, { from: 'user' }), speedOptions, speedRequestSchema, {
    kind: 'speed',
  });
}
