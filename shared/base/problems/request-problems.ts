import type { ProblemKind } from './problem-kind.ts';

/** What is wrong with a request, and with its address. */
export const requestProblems = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    advice: 'Correct the fields listed in errors and send the request again.',
  },
  malformed_json: {
    status: 400,
    title: 'The body is not valid JSON',
    advice: 'Send a JSON object with Content-Type: application/json.',
  },
  body_too_large: {
    status: 413,
    title: 'The request body is too large',
    advice: 'Send a smaller body. /api/v1/limits lists the limits.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported Content-Type',
    advice: 'Use the Content-Type listed in errors.',
  },
  not_acceptable: {
    status: 406,
    title: 'Format not available',
    advice: 'Request one of the available formats.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    advice: 'Use one of the methods in the Allow header.',
  },
  cross_origin: {
    status: 403,
    title: 'Cross-origin request blocked',
    advice: 'Send it from the dashboard, or set the Origin header to the server’s own origin.',
  },
  wrong_host: {
    status: 421,
    title: 'Unknown host name',
    advice: 'Use the address that the server printed when it started.',
  },
  not_found: {
    status: 404,
    title: 'There is nothing at this address',
    advice: 'Check the address for typos.',
  },
  too_many_requests: {
    status: 429,
    title: 'Too many requests',
    advice: 'Wait for the number of seconds in Retry-After.',
  },
  idempotency_conflict: {
    status: 422,
    title: 'This Idempotency-Key belongs to another request',
    advice: 'Use a new key.',
  },
} as const satisfies Record<string, ProblemKind>;
