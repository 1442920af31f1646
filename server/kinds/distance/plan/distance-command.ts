import { placeOptions } from '../../../../shared/base/option.ts';
import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import { type DistanceRequest, distanceRequestSchema } from '../../../../shared/kinds/distance/distance.ts';
import { distanceOptions } from '../../../../shared/kinds/distance/options.ts';

/** The command that repeats a measurement: the same links in the same order. */
export function distanceCommand(request: DistanceRequest, seed: number): string {
  const usual = distanceRequestSchema.parse({ kind: 'distance' });
  const words = request.links.map(linkWord);
  return [
    'npx tls-toll distance',
    ...(words.join() === usual.links.map(linkWord).join() ? [] : [`--links ${words.join(' ')}`]),
    ...flagsOf(placeOptions(null, distanceOptions), { ...request, seed }),
  ].join(' ');
}
