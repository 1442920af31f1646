import type { RequestHandler, Response } from 'express';
import type { Telemetry } from '../telemetry/telemetry.ts';

const routes = new WeakMap<Response, string>();

/** @param route template of the address, such as `/api/v1/measurements/{id}` */
export function noteRoute(response: Response, route: string): void {
  routes.set(response, route);
}

/** Notes each request when its response has ended: an event stream, when it closes. */
export function traceRequests({ noteRequest }: Pick<Telemetry, 'noteRequest'>): RequestHandler {
  return (request, response, next) => {
    const startedAt = Date.now();
    const begun = performance.now();
    const { method } = request;
    const { traceparent, tracestate } = request.headers;
    response.once('close', () => {
      noteRequest({
        ...{ method, startedAt, endedAt: startedAt + performance.now() - begun },
        route: routes.get(response) ?? null,
        status: response.headersSent ? response.statusCode : null,
        parent: { traceparent, tracestate },
      });
    });
    next();
  };
}
