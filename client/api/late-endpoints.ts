import type { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { UnreachableError } from './unreachable-error.ts';

/** Endpoints that are loaded with the first call: a page is shown before their schemas are set up. */
export const late = {
  measurement: () =>
    arrived(import('../../shared/api/measurement-endpoints.ts'), (group) => group.measurementEndpoints),
  server: () => arrived(import('../../shared/api/server-endpoints.ts'), (group) => group.serverEndpoints),
  batch: () => arrived(import('../../shared/api/batch-endpoints.ts'), (group) => group.batchEndpoints),
  example: () => arrived(import('../../shared/api/example-endpoints.ts'), (group) => group.exampleEndpoints),
  question: () =>
    arrived(import('../../shared/api/question-endpoints.ts'), (group) => group.questionEndpoints),
  scenario: () =>
    arrived(import('../../shared/api/scenario-endpoints.ts'), (group) => group.scenarioEndpoints),
  target: () => arrived(import('../../shared/api/target-endpoints.ts'), (group) => group.targetEndpoints),
  session: () => arrived(import('../../shared/api/session-endpoints.ts'), (group) => group.sessionEndpoints),
};

/** What must be known of starting a measurement before its endpoint is there: who may. */
export const starting: Pick<typeof measurementEndpoints.createMeasurement, 'access'> = { access: 'operator' };

async function arrived<Group, Endpoints>(
  loading: Promise<Group>,
  pick: (group: Group) => Endpoints,
): Promise<Endpoints> {
  try {
    return pick(await loading);
  } catch (cause) {
    throw new UnreachableError({ cause });
  }
}
