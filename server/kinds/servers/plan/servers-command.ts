import { nestValues, valueIn } from '../../../../shared/base/option.ts';
import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { levelOptions, serversOptions } from '../../../../shared/kinds/servers/options.ts';
import {
  cellSettingsSchema,
  factorNames,
  type ServersRequest,
} from '../../../../shared/kinds/servers/servers.ts';

/** The command that repeats a sweep: the same cells in the same order. Listed cells and a custom base need a plan file. */
export function serversCommand(request: ServersRequest, seed: number): string {
  const { plan } = request;
  const others = serversOptions.filter((placed) => !levelOptions.includes(placed));
  const more = flagsOf(others, { ...request, seed });
  const usual = cellSettingsSchema.parse({});
  if (
    plan.shape === 'cells' ||
    (plan.shape === 'each' && !factorNames.every((factor) => plan.base[factor] === usual[factor]))
  ) {
    return ['npx tls-toll servers --plan plan.json', ...more].join(' ');
  }
  const levels = levelOptions.map((placed) => {
    const base = plan.base[placed.name as keyof typeof usual];
    return [placed, valueIn(request, placed) ?? [base]] as const;
  });
  // Without any, it would be the preset.
  const flags = flagsOf(levelOptions, nestValues(levels));
  return [
    'npx tls-toll servers',
    ...(plan.shape === 'each' ? ['--one-at-a-time'] : []),
    ...(flags.length > 0 ? flags : [`--servers ${usual.server}`]),
    ...more,
  ].join(' ');
}
