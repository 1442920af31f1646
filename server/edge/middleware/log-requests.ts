import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { requestIdOf } from './request-id.ts';

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
