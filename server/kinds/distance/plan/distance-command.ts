import { flagsOf } from '../../../../shared/base/option-flag.ts';
import type { DistanceRequest } from '../../../../shared/kinds/distance/distance.ts';
import { distanceOptions } from '../../../../shared/kinds/distance/options.ts';

/** The command that repeats a measurement: the same links in the same order. */
export function distanceCommand(request: DistanceRequest, seed: number): string {
  return ['npx tls-toll distance', ...flagsOf(distanceOptions, { ...request, seed })].join(' ');
}
