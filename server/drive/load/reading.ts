import type { RequestOutcome } from '../../../shared/base/outcome.ts';

/** The response goes on; give it more bytes. */
export const incomplete = 0;
/** The response ended with the last byte given. */
export const complete = 1;
/** Not the protocol, or more or less than was announced: `failure` says which. */
export const malformed = 2;
export type Reading = typeof incomplete | typeof complete | typeof malformed;

export type Failure = { outcome: RequestOutcome; detail: string };
