import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { requestIdOf } from './request-id.ts';

/** Everything that was thrown on the way leaves here as `application/problem+json` (RFC 9457); a stack goes to the log only. */
export function problemHandler(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    const explained = explain(error, requestIdOf(response));
    const { status, code, detail } = explained.problem;
    if (status >= 500) {
      const asked = { requestId: requestIdOf(response), method: request.method, url: request.url };
      // What is known by name needs no stack, which an outage would write for every request.
      logger.error(
        { ...asked, ...(code === 'internal' ? { err: error } : { code, detail }) },
        'request failed',
      );
    }
    // The answer has begun: all that is left is to cut it off.
    if (response.headersSent) return next(error);
    sendProblem(response, explained);
  };
}

function sendProblem(response: Response, { problem }: ProblemError): void {
  if (problem.retryAfterS !== undefined) response.set('Retry-After', String(problem.retryAfterS));
  for (const header of ['ETag', 'Content-Disposition', 'Last-Modified']) response.removeHeader(header);
  response
    .status(problem.status)
    .set('Cache-Control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify(problem));
}

function explain(error: unknown, requestId: string): ProblemError {
  if (error instanceof ProblemError) return error;
  return (
    explainHttpError(error) ??
    problem('internal', `An unexpected error occurred. Request ID: ${requestId}.`, { cause: error })
  );
}

/** What body-parser, the router and serve-static throw (http-errors). */
const httpErrorSchema = z.object({
  status: z.int().min(400).max(499),
  type: z.string().optional(),
  message: z.string(),
});

function explainHttpError(error: unknown): ProblemError | null {
  const parsed = httpErrorSchema.safeParse(error);
  if (!parsed.success) return null;
  const { status, type, message } = parsed.data;
  if (type === 'entity.parse.failed') return problem('malformed_json', `The body is not JSON: ${message}.`);
  if (status === 413) return problem('body_too_large', 'The body is larger than the limit.');
  if (status === 415) return problem('unsupported_media_type', `The body cannot be read: ${message}.`);
  if (status === 404) return problem('not_found', 'There is nothing at this address.');
  return problem('invalid_request', `The request cannot be read: ${message}.`);
}
