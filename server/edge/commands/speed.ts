import { placeOptions } from '../../../shared/base/option.ts';
import { problemOfIssues } from '../../../shared/base/problem.ts';
import { speedOptions } from '../../../shared/kinds/speed/options.ts';
import { type SpeedRequest, speedRequestSchema } from '../../../shared/kinds/speed/speed.ts';
import type { Labels } from '../../../shared/measurement/runner.ts';
import { labelsOption } from './labels-option.ts';
import { measure } from './measure.ts';
import { addOptions, readOptions } from './table-options.ts';
import { verb } from './verb.ts';

const placed = placeOptions(null, speedOptions);

const options = addOptions(
  verb('speed').description(
    'Measures the primitives of TLS: digests and ciphers at six sizes, signatures, key agreement and key encapsulation. Where the openssl program is installed, openssl speed measures the same primitives alternately. Progress goes to stderr, the result to stdout.',
  ),
  placed,
)
  .argument(
    '[names...]',
    'Primitives, such as SHA-256, RSA-2048 or X25519MLKEM768, a curve (P-256), or a group: digest, cipher, signature, agreement or kem (default: all)',
  )
  .option(...labelsOption)
  .option('--json', 'Print the JSON document of the permalink');

export async function speed(args: string[]): Promise<number> {
  const { request, json, labels } = parseSpeed(args);
  const { speed: kind } = await import('../../kinds/speed/kind.ts');
  return measure(kind, request, json ? 'json' : 'terminal', { labels });
}

/** Throws invalid_arguments. */
export function parseSpeed(args: string[]): {
  request: SpeedRequest;
  json: boolean;
  labels: Labels[] | undefined;
} {
  const { processedArgs } = options.parse(args, { from: 'user' });
  const [names] = processedArgs;
  const { json = false, labels } = options.opts();
  const parsed = speedRequestSchema.safeParse({
    kind: 'speed',
    names: names.length === 0 ? null : names,
    ...readOptions(options, placed),
  });
  if (!parsed.success) throw problemOfIssues('invalid_arguments', parsed.error, 'The arguments');
  return { request: parsed.data, json, labels };
}
