import { placeOptions } from '../../../shared/base/option.ts';
import { flagsOf } from '../../../shared/base/option-flag.ts';
import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import type { VisitsRequest } from '../../../shared/kinds/visits/visits.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { namedSecrets } from '../../intake/traffic/secret-names.ts';

/** The command that repeats the visits: the same journey, in the same order of visits where one has been drawn. */
export function visitsCommand(request: VisitsRequest, seed: number | null): string {
  const { target, journey } = request;
  return [
    'npx tls-toll visits',
    ...(journey === null ? [] : [journey.scenario ?? 'journey.spec.ts']),
    ...factsOf(target).options,
    ...namedSecrets(journey?.actions ?? []).map((name) => `--secret ${name}=${name.toUpperCase()}`),
    ...flagsOf(placeOptions(null, visitsOptions), { ...request, seed }),
  ].join(' ');
}
