import { existsSync, renameSync, rmSync } from 'node:fs';
import {
  createServer,
  type ServerOptions as Http1Options,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import {
  createServer as createHttp2Server,
  createSecureServer as createSecureHttp2Server,
  type ServerOptions as Http2Options,
  Http2ServerRequest,
  Http2ServerResponse,
} from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { Server, ServerOpts } from 'node:net';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { TLSSocket, TlsOptions } from 'node:tls';
import express, { type Express } from 'express';
import { z } from 'zod';
import { type HttpVersion, httpVersions } from '../../../shared/base/transport.ts';
import { countSchema, nonNegativeSchema } from '../../../shared/base/units.ts';
import { type TargetCounters, targetCountersSchema } from '../../../shared/target/target.ts';
import type { LatestReview, Store, StoreLocation } from './postgres.ts';
import {
  type Category,
  indexes,
  makeCatalogue,
  type Product,
  printSqliteExpression,
  procedures,
  seedVersion,
  tables,
} from './procedures.ts';

type Certificate = { certPem: string; keyPem: string };

type ListenerOptions = {
  /** Null for no TLS. */
  certificate: Certificate | null;
  /** This one and nothing else. */
  httpVersion: HttpVersion;
};

type Counts = Omit<TargetCounters, 'cpuUs' | 'rssBytes'>;

/** The same server over TCP, or over TLS when there is a certificate, with a count of what happens to it. */
export function createListener(
  application: RequestListener,
  options: ListenerOptions,
): { server: Server; counts: Counts } {
  const counts: Counts = { requests: 0, connections: 0, handshakesFull: 0, handshakesResumed: 0 };
  const server = versions[options.httpVersion].create(options.certificate);
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
  { adapt(application: RequestListener): RequestListener; create(certificate: Certificate | null): Server }
> = {
  '1.1': {
    adapt: (application) => application,
    create: (certificate) =>
      certificate === null
        ? createServer(http1Options)
        : createSecureServer({ ...http1Options, ...tlsOptions(certificate, 'http/1.1') }),
  },
  '2': {
    adapt: overHttp2,
    create: (certificate) =>
      certificate === null
        ? createHttp2Server(http2Options)
        : createSecureHttp2Server({ ...http2Options, ...tlsOptions(certificate, 'h2') }),
  },
};

export function adaptedTo(httpVersion: HttpVersion, application: RequestListener): RequestListener {
  return versions[httpVersion].adapt(application);
}

/** Groups and suites are Node's own, session tickets are on, and one protocol is all that is offered. */
function tlsOptions({ certPem, keyPem }: Certificate, protocol: 'http/1.1' | 'h2'): TlsOptions {
  return {
    cert: certPem,
    key: keyPem,
    minVersion: 'TLSv1.2',
    maxVersion: 'TLSv1.3',
    ALPNProtocols: [protocol],
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

/** A process that opens or closes the file locks it for a moment, so the others wait. */
const shared = { readOnly: true, timeout: 5_000 };

/** The shop on its own SQLite file. Every process opens the same file, and reads only. */
export function openSqliteStore(path: string): Store {
  const database = new DatabaseSync(path, shared);
  // Room for all of it, 16 MiB.
  database.exec('PRAGMA cache_size = -16384');
  const categoryList = prepareRows<Category>(database, procedures.ProductCategoryList.sqlite);
  const mostPopular = prepareRows<Product>(database, procedures.ProductsMostPopular.sqlite);
  const latestReviews = prepareRows<LatestReview>(database, procedures.ReviewsLatest.sqlite);
  const search = prepareRows<Product & { hits: number }>(database, procedures.ProductSearch.sqlite);
  return {
    productCategoryList: async () => categoryList({}),
    productsMostPopular: async (limit) => mostPopular({ limit }),
    reviewsLatest: async (limit) => latestReviews({ limit }),
    productSearch: async ({ words, category, limit }) => {
      if (words.length === 0) return { products: [], hits: 0 };
      const products = search({ expression: printSqliteExpression({ words }), category, limit });
      return { products, hits: products[0]?.hits ?? 0 };
    },
    close: async () => database.close(),
  };
}

type Parameters = Record<string, SQLInputValue>;

/**
 * A statement that gives its rows as ordinary objects, all of one shape: those that the driver makes are
 * dictionaries, which the templates read so slowly that a transaction costs an eighth more.
 */
function prepareRows<Row>(database: DatabaseSync, sql: string): (parameters: Parameters) => Row[] {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true);
  const names = statement.columns().map(({ name }) => name);
  return (parameters) =>
    (statement.all(parameters) as unknown as unknown[][]).map((values) => {
      const row: Record<string, unknown> = {};
      for (const [index, name] of names.entries()) row[name] = values[index];
      return row as Row;
    });
}

/** Makes the file at `path` unless a sound one of this version is there. It takes its name when it is complete. */
export function seedSqlite(path: string): void {
  if (existsSync(path) && isSound(path)) return;
  const draft = `${path}.draft`;
  for (const file of [path, draft]) {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(file + suffix, { force: true });
  }
  const database = new DatabaseSync(draft);
  try {
    database.exec('PRAGMA journal_mode = WAL; BEGIN');
    for (const statement of tables.sqlite) database.exec(statement);
    insertCatalogue(database);
    for (const statement of indexes.sqlite) database.exec(statement);
    database.exec(`PRAGMA user_version = ${seedVersion}; COMMIT`);
  } finally {
    database.close();
  }
  renameSync(draft, path);
}

function isSound(path: string): boolean {
  try {
    const database = new DatabaseSync(path, shared);
    try {
      const version = database.prepare('PRAGMA user_version').get()?.user_version;
      return version === seedVersion && database.prepare('PRAGMA quick_check').get()?.quick_check === 'ok';
    } finally {
      database.close();
    }
  } catch {
    return false;
  }
}

function insertCatalogue(database: DatabaseSync): void {
  const { categories, products, reviews } = makeCatalogue();
  for (const [table, rows] of Object.entries({ category: categories, product: products, review: reviews })) {
    const columns = Object.keys(rows[0] ?? {});
    const places = columns.map((column) => `:${column}`);
    const insert = database.prepare(`INSERT INTO ${table} (${columns}) VALUES (${places})`);
    for (const row of rows) insert.run(row);
  }
}

/**
 * A known cost put on each request, so that benches and tests can see whether a run finds it. The product never asks for
 * one: neither its API nor its command line can name it.
 */
const perturbationSchema = z.strictObject({
  /** CPU time of this process, burnt before the application is given the request. */
  cpuUs: nonNegativeSchema,
  /** Objects made before that and held for enough requests that they survive collections of the young generation. */
  garbageObjects: countSchema,
  /** Waited after that, to the microsecond; the last 2 ms of it use CPU. */
  sleepMs: nonNegativeSchema,
  /** Spaces after the body of the answer. */
  bodyBytes: countSchema,
});
export type Perturbation = z.infer<typeof perturbationSchema>;

export type PerturbedApplication = {
  listener: RequestListener;
  /** From the next request on; null for none. */
  perturb(perturbation: Perturbation | null): void;
};

/** The application behind a perturbation that is off. While it is, a request pays one comparison for it. */
export function perturbable(application: RequestListener): PerturbedApplication {
  let current: Perturbation | null = null;
  const litter = lateGarbage();
  return {
    perturb(next) {
      current = next;
    },
    listener(request: IncomingMessage, response: ServerResponse) {
      if (current === null) return application(request, response);
      const { cpuUs, garbageObjects, sleepMs, bodyBytes } = current;
      if (garbageObjects > 0) litter(garbageObjects);
      if (cpuUs > 0) burn(cpuUs);
      if (bodyBytes > 0) lengthen(response, bodyBytes);
      if (sleepMs > 0) sleepExactly(sleepMs, () => application(request, response));
      else application(request, response);
    },
  };
}

/**
 * Until the process has used so much CPU time: while it has to give way it burns nothing, so the burden is the same on a
 * disturbed machine. Reading the count takes longer than reading the clock, so it is asked when the time may be up.
 */
function burn(cpuUs: number): void {
  const from = usedCpuUs();
  for (let left = cpuUs; left > 0; left = cpuUs - (usedCpuUs() - from)) {
    const until = performance.now() + left / 1000;
    while (performance.now() < until);
  }
}

function usedCpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

const requestsHeld = 256;

type Link = { next: Link | null; place: number };

/** Making the objects is the smaller part of their cost; copying them as they survive comes with a later request. */
function lateGarbage(): (objects: number) => void {
  const held: (Link | null)[] = new Array(requestsHeld).fill(null);
  let request = 0;
  return (objects) => {
    let chain: Link | null = null;
    for (let place = 0; place < objects; place++) chain = { next: chain, place };
    held[request++ % requestsHeld] = chain;
  };
}

/** The shop sends each body whole, at the end. */
function lengthen(response: ServerResponse, bytes: number): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse;
  response.end = ((body?: unknown) => {
    if (!Buffer.isBuffer(body)) return end(body);
    response.setHeader('Content-Length', body.length + bytes);
    return end(Buffer.concat([body, Buffer.alloc(bytes, ' ')]));
  }) as ServerResponse['end'];
}

/** Timers count in whole milliseconds from the last turn of the event loop: one of 5 ms takes 4.3 to 6. */
const timerErrorMs = 2;

/** Waits on a timer that is sure to end in time, then spins: the length is exact, and the last 2 ms use CPU. */
function sleepExactly(sleepMs: number, wake: () => void): void {
  const until = performance.now() + sleepMs;
  const spinToEnd = () => {
    while (performance.now() < until);
    wake();
  };
  const onTimerMs = Math.floor(sleepMs - timerErrorMs);
  if (onTimerMs < 1) spinToEnd();
  else setTimeout(spinToEnd, onTimerMs);
}

const startOrderSchema = z.strictObject({
  /** Null for no TLS. */
  certificate: z.strictObject({ certPem: z.string(), keyPem: z.string() }).nullable(),
  httpVersion: z.enum(httpVersions),
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
