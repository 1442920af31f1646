import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { speedOptions } from '../../../../shared/kinds/speed/options.ts';
import type { SpeedRequest } from '../../../../shared/kinds/speed/speed.ts';

/** The command that repeats a measurement: the same primitives, in the same order where one has been drawn. */
export function speedCommand(request: SpeedRequest, seed: number | null): string {
  return ['npx tls-toll speed', ...flagsOf(speedOptions, { ...request, seed })].join(' ');
}
