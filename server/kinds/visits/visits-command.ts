import type { VisitsRequest } from '../../../shared/kinds/visits/visits.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { namedSecrets } from '../../intake/traffic/secret-names.ts';

/** The command that repeats the visits: the same journey, in the same order of visits where one has been drawn. */
export function visitsCommand({ target, journey, blocks }: VisitsRequest, seed: number | null): string {
  return [
    'npx tls-toll visits',
    ...(journey === null ? [] : [journey.scenario ?? 'journey.spec.ts']),
    ...factsOf(target).options,
    ...namedSecrets(journey?.actions ?? []).map((name) => `--secret ${name}=${name.toUpperCase()}`),
    `--blocks ${blocks}`,
    ...(seed === null ? [] : [`--seed ${seed}`]),
  ].join(' ');
}
