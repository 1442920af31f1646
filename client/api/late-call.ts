import { type Answer, type Call, callEndpointBy, type Way } from '../../shared/api/call-endpoint.ts';
import type { Endpoint } from '../../shared/api/endpoint.ts';
import type { measurementEndpoints } from '../../shared/api/measurement-endpoints.ts';
import { type FieldError, ProblemError } from '../../shared/base/problem.ts';
import { withoutOptions } from '../format/sides.ts';

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

/** Access to starting a measurement, known before its endpoint has loaded. */
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

/** An error as a person reads it: what is the case, and what to try. */
export type ShownProblem = {
  title: string;
  detail: string;
  advice: string;
  fields: FieldError[];
  /** Original words of the system or of a library. */
  details?: string | undefined;
};

export function problemOf(error: unknown): ShownProblem {
  if (error instanceof ProblemError) {
    const { title, detail, advice, details, errors = [] } = error.problem;
    return {
      title,
      detail: withoutOptions(detail),
      ...{ advice, details },
      fields: errors.map(({ field, message }) => ({ field, message: withoutOptions(message) })),
    };
  }
  if (error instanceof UnreachableError) {
    return {
      title: 'The server does not answer',
      detail: 'The request got no answer that this page understands.',
      advice: 'Check that TLS Toll is still running, then try again.',
      fields: [],
    };
  }
  return {
    title: 'Something went wrong in this page',
    detail: 'This page failed (details).',
    advice: 'Reload the page. If it fails again, report it with the details.',
    fields: [],
    details: error instanceof Error ? error.message : String(error),
  };
}

/**
 * Calls an endpoint of the server that the page came from. Throws its ProblemError, or UnreachableError when nobody answered.
 */
export function callEndpoint<Called extends Endpoint>(
  endpoint: Called,
  call: Call<Called> = {},
): Promise<Answer<Called>> {
  return callEndpointBy(fromPage, endpoint, call);
}

const fromPage: Way = {
  async send(address, request) {
    try {
      return await fetch(address, request);
    } catch (error) {
      if (request.signal?.aborted) throw error;
      throw new UnreachableError({ cause: error });
    }
  },
  unknownAnswer: ({ status }) => new UnreachableError({ cause: new Error(`status ${status}`) }),
};
