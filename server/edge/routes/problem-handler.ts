import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import express, { type ErrorRequestHandler, type RequestHandler, type Response } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { problemOfError } from '../../base/text/foreign-errors.ts';

/** Everything that was thrown on the way leaves here as `application/problem+json` (RFC 9457); a stack goes to the log only. */
export function problemHandler(logger: Logger): ErrorRequestHandler {
  return (error, request, response, next) => {
    const explained = explainThrown(error, requestIdOf(response));
    const { status, code, detail } = explained.problem;
    if (status >= 500) {
      const asked = { requestId: requestIdOf(response), method: request.method, url: request.url };
      // A problem with its own code needs no stack, which an outage would write for every request.
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

function explainThrown(error: unknown, requestId: string): ProblemError {
  if (error instanceof ProblemError) return error;
  return (
    explainHttpError(error) ??
    problem('internal', `An unexpected error occurred. Request ID: ${requestId}.`, { cause: error })
  );
}

/** Errors that body-parser, the router and serve-static throw (http-errors). */
const httpErrorSchema = z.object({
  status: z.int().min(400).max(499),
  type: z.string().optional(),
});

function explainHttpError(error: unknown): ProblemError | null {
  const parsed = httpErrorSchema.safeParse(error);
  if (!parsed.success) return null;
  const { status, type } = parsed.data;
  if (type === 'entity.parse.failed') return problemOfError('malformed_json', 'The body is not JSON', error);
  if (status === 413) return problem('body_too_large', 'The body is larger than the limit.');
  if (status === 415) return problemOfError('unsupported_media_type', 'The body cannot be read', error);
  if (status === 404) return problem('not_found', 'There is nothing at this address.');
  return problemOfError('invalid_request', 'The request cannot be read', error);
}

/**
 * Scripts come from this origin and never from a page's own text. Styles may be inline: Mantine and Swagger UI write them.
 * Nothing is upgraded to HTTPS, as this server speaks HTTP on loopback.
 */
export function securityHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
}

/** Reads JSON bodies up to a size, and refuses all others. */
export function jsonBody(limitBytes: number): RequestHandler[] {
  const type = ({ headers }: IncomingMessage) => hasBody(headers);
  const parse = express.json({ limit: limitBytes, strict: false, inflate: false, type });
  return [refuseOtherTypes, parse];
}

const refuseOtherTypes: RequestHandler = (request, _response, next) => {
  if (!hasBody(request.headers) || request.is('application/json') !== false) return next();
  const type = request.headers['content-type'];
  next(
    problem('unsupported_media_type', {
      detail: `The request has ${type === undefined ? 'no Content-Type' : `the Content-Type "${type.slice(0, 100)}"`}.`,
      errors: [{ field: 'content-type', message: 'must be application/json' }],
    }),
  );
};

function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** One line an answer, at level debug: quiet unless asked for. */
export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const { method, originalUrl: url } = request;
    response.once('close', () => {
      const ms = Math.round(performance.now() - startedAt);
      logger.debug(
        { requestId: requestIdOf(response), method, url, status: response.statusCode, ms },
        'request',
      );
    });
    next();
  };
}

/** Names every answer, so that a report of a mistake finds its line in the log. */
export const assignRequestId: RequestHandler = (_request, response, next) => {
  response.set('X-Request-Id', randomUUID());
  next();
};

function requestIdOf(response: Response): string {
  return String(response.get('X-Request-Id'));
}
