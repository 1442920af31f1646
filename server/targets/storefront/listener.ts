import { createServer, type ServerOptions as Http1Options, type RequestListener } from 'node:http';
import {
  createServer as createHttp2Server,
  createSecureServer as createSecureHttp2Server,
  type ServerOptions as Http2Options,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { Server, ServerOpts } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import express, { type Express } from 'express';
import { z } from 'zod';
import { certificateCompressionSchema, type TlsProfile } from '../../../shared/base/tls-profile.ts';
import { type HttpVersion, httpVersions } from '../../../shared/base/transport.ts';
import { type TargetCounters, targetCountersSchema } from '../../../shared/target/target.ts';
import { compressionOf } from '../../base/wire/negotiated-tls.ts';
import { perturbationSchema } from './perturbation.ts';
import { openSqliteStore, type Store, type StoreLocation } from './store.ts';

type Certificate = { certPem: string; keyPem: string };

type ListenerOptions = {
  /** Null for no TLS. */
  certificate: Certificate | null;
  /** This one and nothing else. */
  httpVersion: HttpVersion;
  certificateCompression: TlsProfile['certificateCompression'];
};

type Counts = Omit<TargetCounters, 'cpuUs' | 'rssBytes'>;

/** The same server over TCP, or over TLS when there is a certificate, with a count of what happens to it. */
export function createListener(
  application: RequestListener,
  options: ListenerOptions,
): { server: Server; counts: Counts } {
  const counts: Counts = { requests: 0, connections: 0, handshakesFull: 0, handshakesResumed: 0 };
  const server = versions[options.httpVersion].create(options);
  server.on('connection', () => {
    counts.connections++;
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.isSessionReused()) counts.handshakesResumed++;
    else counts.handshakesFull++;
  });
  server.on('request', () => {
    counts.requests++;
  });
  server.on('request', application);
  return { server, counts };
}

const socketOptions: ServerOpts = { noDelay: true };
const http2Options: Http2Options & ServerOpts = socketOptions;
const http1Options: Http1Options = { ...socketOptions, keepAliveTimeout: 75_000 };

/** Per version: how the application is made to speak it, and the server that does. */
const versions: Record<
  HttpVersion,
  { adapt(application: RequestListener): RequestListener; create(options: ListenerOptions): Server }
> = {
  '1.1': {
    adapt: (application) => application,
    create(options) {
      const tls = tlsOptions(options, 'http/1.1');
      return tls === null ? createServer(http1Options) : createSecureServer({ ...http1Options, ...tls });
    },
  },
  '2': {
    adapt: overHttp2,
    create(options) {
      const tls = tlsOptions(options, 'h2');
      return tls === null
        ? createHttp2Server(http2Options)
        : createSecureHttp2Server({ ...http2Options, ...tls });
    },
  },
};

export function adaptedTo(httpVersion: HttpVersion, application: RequestListener): RequestListener {
  return versions[httpVersion].adapt(application);
}

/** Groups and suites are Node's own, session tickets are on, and one protocol is all that is offered. Null for no TLS. */
function tlsOptions(
  { certificate, ...options }: ListenerOptions,
  protocol: 'http/1.1' | 'h2',
): TlsOptions | null {
  if (certificate === null) return null;
  return {
    cert: certificate.certPem,
    key: certificate.keyPem,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ALPNProtocols: [protocol],
    ...compressionOf(options),
  };
}

/**
 * Makes an application answer HTTP/2. Express gives every request and response its own prototypes, which lead to those of
 * HTTP/1.1; here the same members lead to those of node:http2, and nothing else of Express has to know.
 */
function overHttp2(application: Express): Express {
  return Object.assign(application, {
    request: leadingTo(Http2ServerRequest.prototype, express.request, application),
    response: leadingTo(Http2ServerResponse.prototype, express.response, application),
  });
}

function leadingTo<Members extends object>(prototype: object, members: Members, app: Express): Members {
  const owned = { configurable: true, enumerable: true, writable: true, value: app };
  return Object.create(prototype, { ...Object.getOwnPropertyDescriptors(members), app: owned });
}

/** Opens a database that was seeded before. */
export async function openStore(location: StoreLocation): Promise<Store> {
  if (location.kind === 'sqlite') return openSqliteStore(location.path);
  // The client library takes its time to load, and most shops are on SQLite.
  const { openPostgresStore } = await import('./postgres.ts');
  return openPostgresStore(location.url);
}

const startOrderSchema = z.strictObject({
  /** Null for no TLS. */
  certificate: z.strictObject({ certPem: z.string(), keyPem: z.string() }).nullable(),
  httpVersion: z.enum(httpVersions),
  certificateCompression: certificateCompressionSchema,
  store: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('sqlite'), path: z.string() }),
    z.strictObject({ kind: z.literal('postgres'), url: z.string() }),
  ]),
  accessLogPath: z.string(),
  address: z.union([z.ipv4(), z.ipv6()]),
  /** 0 for any free one. */
  port: z.int().min(0).max(65_535),
});
export type StartOrder = z.infer<typeof startOrderSchema>;

export const questions = {
  /** Answers the port. */
  start: { question: startOrderSchema, answer: z.int() },
  counters: { question: z.void(), answer: targetCountersSchema },
  perturb: { question: perturbationSchema.nullable(), answer: z.void() },
};
