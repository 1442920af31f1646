import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { problem } from '../../../shared/base/problem.ts';

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
