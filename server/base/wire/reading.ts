import type { RequestOutcome } from '../../../shared/base/outcome.ts';

/** The response goes on; give it more bytes. */
export const incomplete = 0;
/** The response ended with the last byte given. */
export const complete = 1;
/** Not the protocol, or more or less than was announced: `failure` says which. */
export const malformed = 2;
export type Reading = typeof incomplete | typeof complete | typeof malformed;

/** Of a head; the name in lower case. */
export type Field = readonly [name: string, value: string];

export type Failure = {
  outcome: RequestOutcome;
  detail: string;
  /** The server has said that it did nothing with the request, so that it may be sent again, whatever its method. */
  untouched?: true;
};

export const tooShort: Failure = {
  outcome: 'body_too_short',
  detail: 'the body is shorter than its Content-Length',
};
export const cutOff: Failure = {
  outcome: 'connection_closed_early',
  detail: 'the server closed the connection in the middle of a response',
};
