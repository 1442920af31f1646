import { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import express, { type Express } from 'express';

/**
 * Makes an application answer HTTP/2. Express gives every request and response its own prototypes, which lead to those of
 * HTTP/1.1; here the same members lead to those of node:http2, and nothing else of Express has to know.
 */
export function overHttp2(application: Express): Express {
  return Object.assign(application, {
    request: leadingTo(Http2ServerRequest.prototype, express.request, application),
    response: leadingTo(Http2ServerResponse.prototype, express.response, application),
  });
}

function leadingTo<Members extends object>(prototype: object, members: Members, app: Express): Members {
  const owned = { configurable: true, enumerable: true, writable: true, value: app };
  return Object.create(prototype, { ...Object.getOwnPropertyDescriptors(members), app: owned });
}
