import { placeOptions } from '../../../../shared/base/option.ts';
import { flagsOf } from '../../../../shared/base/option-flag.ts';
import { serversOptions } from '../../../../shared/kinds/servers/options.ts';
import {
  cellSettingsSchema,
  factorNames,
  type ServersRequest,
} from '../../../../shared/kinds/servers/servers.ts';

/** Options of the command line, by factor. */
export const factorOptions: Record<(typeof factorNames)[number], string> = {
  server: '--servers',
  protocol: '--protocols',
  cipher: '--ciphers',
  key: '--keys',
  keepAlive: '--keep-alive',
  resumption: '--resumption',
  clientCertificates: '--client-certificates',
  kTls: '--ktls',
  concurrency: '--concurrency',
  document: '--documents',
};

/** The command that repeats a sweep: the same cells in the same order. Listed cells and a custom base need a plan file. */
export function serversCommand(request: ServersRequest, seed: number): string {
  const { plan } = request;
  const more = flagsOf(placeOptions(null, serversOptions), { ...request, seed });
  const usual = cellSettingsSchema.parse({});
  if (
    plan.shape === 'cells' ||
    (plan.shape === 'each' && !factorNames.every((factor) => plan.base[factor] === usual[factor]))
  ) {
    return ['npx tls-toll servers --plan plan.json', ...more].join(' ');
  }
  const levels = factorNames.flatMap((factor) => {
    const own = plan.levels[factor] ?? (plan.base[factor] === usual[factor] ? [] : [plan.base[factor]]);
    return own.length === 0 ? [] : [`${factorOptions[factor]} ${own.map(printLevel).join(',')}`];
  });
  return [
    'npx tls-toll servers',
    ...(plan.shape === 'each' ? ['--one-at-a-time'] : []),
    ...levels,
    ...more,
  ].join(' ');
}

function printLevel(level: string | number | boolean | null): string {
  if (level === null) return 'any';
  return typeof level === 'boolean' ? (level ? 'on' : 'off') : String(level);
}
