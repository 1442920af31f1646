import type { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';

/** The delete tokens of the measurements and schedules that this browser started. The server keeps only their hashes. */

const prefix = 'tls-toll:delete-token:';

export function rememberDeleteToken(id: string, token: string | null): void {
  if (token !== null) keepText(prefix + id, token);
}

export function recallDeleteToken(id: string): string | null {
  return recallText(prefix + id);
}

/** Whether this browser may delete it: whether it was started here. */
export function isOurs(id: string): boolean {
  return recallDeleteToken(id) !== null;
}

export function forgetDeleteToken(id: string): void {
  keepText(prefix + id, null);
}

/** What was measured for a schedule has its token. */
export function adoptDeleteTokens(
  measurements: readonly { id: string; scheduleId?: string | undefined }[],
): void {
  for (const { id, scheduleId } of measurements) {
    if (scheduleId === undefined || recallDeleteToken(id) !== null) continue;
    rememberDeleteToken(id, recallDeleteToken(scheduleId));
  }
}

/** Keeps short texts in this browser. If its storage is full or blocked, nothing is kept, and the page works all the same. */

export function keepText(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The page works without it.
  }
}

export function recallText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

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

/** Nobody answered, or something that is not this server did. */
export class UnreachableError extends Error {
  constructor(options?: ErrorOptions) {
    super('The server does not answer.', options);
    this.name = 'UnreachableError';
  }
}
