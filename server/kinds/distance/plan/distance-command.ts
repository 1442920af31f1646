import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import { type DistanceRequest, distanceRequestSchema } from '../../../../shared/kinds/distance/distance.ts';

/** The command that repeats a measurement: the same links in the same order. */
export function distanceCommand({ links, rounds }: DistanceRequest, seed: number): string {
  const usual = distanceRequestSchema.parse({ kind: 'distance' });
  const words = links.map(linkWord);
  return [
    'npx tls-toll distance',
    ...(words.join() === usual.links.map(linkWord).join() ? [] : [`--links ${words.join(' ')}`]),
    ...(rounds === usual.rounds ? [] : [`--rounds ${rounds}`]),
    `--seed ${seed}`,
  ].join(' ');
}
