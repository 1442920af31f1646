import type { IncomingHttpHeaders } from 'node:http';

/** One request of the walk, as the load generator would send it. */
export type Outgoing = {
  method: string;
  path: string;
  /** Names in lower case; `host` is among them. */
  headers: Record<string, string | string[]>;
  body: Buffer | undefined;
};

/** The head of its response, and the body as it comes in. */
export type Incoming = {
  status: number;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  body: AsyncIterable<Buffer>;
  /** After the body: whether the server ends the connection. */
  closes(): boolean;
};

/** Sends one request at a time, on the connections that the policy gives it. */
export type Visitor = {
  ask(outgoing: Outgoing, signal: AbortSignal): Promise<Incoming>;
  leave(): void;
};
