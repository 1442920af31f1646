import type { RequestHandler, Response } from 'express';
import type { AccessLog } from './access-log.ts';
import { loggedTarget } from './logged-target.ts';

/** What is kept about a request while it is answered. */
type Exchange = {
  /** `performance.now()` when the application was given the request. */
  receivedAt: number;
  bodyBytes: number;
};

/** First in line: notes the time, and writes the request into the log when its answer is out. */
export function receive(accessLog: AccessLog): RequestHandler {
  return (request, response, next) => {
    const receivedAt = performance.now();
    const exchange = Object.assign(response.locals, { receivedAt, bodyBytes: 0 } satisfies Exchange);
    const address = request.socket.remoteAddress ?? '-';
    response.once('close', () => {
      accessLog.add({
        address,
        method: request.method,
        target: loggedTarget(request.originalUrl, response.statusCode),
        version: request.httpVersion,
        status: response.statusCode,
        bodyBytes: exchange.bodyBytes,
        durationUs: Math.round((performance.now() - receivedAt) * 1000),
      });
    });
    next();
  };
}

/** Sends a whole body, with the time that the application took to make it in Server-Timing. */
export function send(
  response: Response,
  status: number,
  body: Buffer | null,
  headers: Record<string, string> = {},
): void {
  const exchange = response.locals as Exchange;
  const tookMs = performance.now() - exchange.receivedAt;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Server-Timing', `app;dur=${tookMs.toFixed(3)}`);
  if (body === null) {
    response.end();
  } else {
    exchange.bodyBytes = response.req.method === 'HEAD' ? 0 : body.length;
    response.setHeader('Content-Length', body.length);
    response.end(body);
  }
}
