import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { countSchema, portSchema } from '../../../shared/base/units.ts';
import {
  type Agreed,
  type HandshakeCell,
  handshakeCellSchema,
  type Prepared,
  preparedSchema,
  type Samples,
  samplesSchema,
  type Turn,
  timesSchema,
  turnsSchema,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { startAskedProcess, steadyHeap } from '../../base/process/asked-process.ts';
import { causeOf, Reason } from '../../base/text/foreign-errors.ts';
import { groupName } from '../../base/wire/negotiated-tls.ts';

export type LabProcess = {
  pid: number;
  prepare(cell: HandshakeCell): Promise<Prepared>;
  /** `turns`, when there are any, are played without TLS. */
  visit(cell: HandshakeCell, connections: number, turns?: Turn[] | null): Promise<Samples>;
  listen(cell: HandshakeCell, path: string, turns?: Turn[] | null): Promise<void>;
  /** Before `dial`: a session, where the cell resumes, and connections that do not count. */
  meet(cell: HandshakeCell, path: string, connections: number, turns?: Turn[] | null): Promise<void>;
  dial(cell: HandshakeCell, path: string, connections: number, turns?: Turn[] | null): Promise<Samples>;
  /** Resolves with a port of 127.0.0.1. */
  serve(cell: HandshakeCell | null): Promise<number>;
  /** Times of new connections, in milliseconds. @param longestMs of one connection, about */
  reach(
    cell: HandshakeCell | null,
    where: { address: string; port: number; nearPort: number; connections: number },
    longestMs: number,
  ): Promise<Float64Array>;
  /** CPU time of each connection answered since the last count, in microseconds. */
  count(): Promise<Float64Array>;
  stop(): Promise<void>;
};

/** Past this, and what was expected, an answer will not come: a key of 4,096 bits may take seconds to make. */
export const labGraceMs = 30_000;

/** A connection of 10 MB takes a second. */
const msPerConnection = 2000;

/** Calls reject with an AnswerProblem, or with the problem `lab_failed` when the process dies or hangs. */
export async function startLabProcess(): Promise<LabProcess> {
  const { pid, ask, stop } = await startAskedProcess({
    script: new URL('./handshake-process.ts', import.meta.url),
    questions,
    name: 'The lab’s process',
    code: 'lab_failed',
    graceMs: labGraceMs,
    execArgv: steadyHeap,
  });
  const lasting = (connections: number) => ({ expectedMs: connections * msPerConnection });
  return {
    pid,
    prepare: (cell) => ask('prepare', { cell }),
    visit: (cell, connections, turns = null) =>
      ask('visit', { cell, connections, turns }, lasting(connections)),
    listen: (cell, path, turns = null) => ask('listen', { cell, path, turns }),
    meet: (cell, path, connections, turns = null) =>
      ask('meet', { cell, path, connections, turns }, lasting(connections)),
    dial: (cell, path, connections, turns = null) =>
      ask('dial', { cell, path, connections, turns }, lasting(connections)),
    serve: (cell) => ask('serve', { cell }),
    reach: (cell, where, longestMs) =>
      ask('reach', { cell, ...where }, { expectedMs: where.connections * longestMs }),
    count: () => ask('count', undefined),
    stop,
  };
}

/** `turns` plays those of a handshake, and the cell's payload, without TLS. */
const what = { cell: handshakeCellSchema, turns: turnsSchema.nullable() };
const connections = countSchema;
const path = z.string();

export const questions = {
  prepare: { question: z.strictObject({ cell: handshakeCellSchema }), answer: preparedSchema },
  visit: { question: z.strictObject({ ...what, connections }), answer: samplesSchema },
  /** Answers on the socket at this path until the next `listen`. */
  listen: { question: z.strictObject({ ...what, path }), answer: z.void() },
  /** Opens a session to resume, where the cell does, and some connections that do not count. */
  meet: { question: z.strictObject({ ...what, path, connections }), answer: z.void() },
  dial: { question: z.strictObject({ ...what, path, connections }), answer: samplesSchema },
  /** Answers on a port of 127.0.0.1 until the process ends, with TLS where there is a cell. Says the port. */
  serve: { question: z.strictObject({ cell: handshakeCellSchema.nullable() }), answer: portSchema },
  /**
   * Times new connections to a port, from their beginning to the first byte of the answer, in milliseconds. A session to
   * resume comes from `nearPort`, where the same end answers immediately.
   */
  reach: {
    question: z.strictObject({
      cell: handshakeCellSchema.nullable(),
      address: z.ipv4(),
      port: portSchema,
      nearPort: portSchema,
      connections,
    }),
    answer: timesSchema,
  },
  /** CPU time of each connection answered since the last count, in microseconds. */
  count: { question: z.void(), answer: timesSchema },
};

/** Parameters that a client's connection has agreed on. Throws a sentence when they are not those of the cell. */
export function readAgreed(socket: TLSSocket, cell: HandshakeCell, resumes: boolean): Agreed {
  const version = socket.getProtocol() ?? 'unknown';
  const cipher = socket.getCipher().name;
  const reused = socket.isSessionReused();
  // On a resumed connection of TLS 1.2 the library shows the group of the one that the session comes from.
  const agreesKey = !reused || version === 'TLSv1.3';
  const group = agreesKey ? groupOf(socket) : null;
  if (version !== cell.version) throw new Reason(`agreed on ${version}, not on ${cell.version}`);
  if (cipher !== cell.cipher) throw new Reason(`agreed on ${cipher}, not on ${cell.cipher}`);
  if (agreesKey && group !== cell.group)
    throw new Reason(`agreed in ${group ?? 'no group'}, not in ${cell.group}`);
  if (reused !== resumes)
    throw new Reason(reused ? 'the session was resumed' : 'the session was not resumed');
  return { version, cipher, group, reused };
}

/** Null without a key agreement. */
function groupOf(socket: TLSSocket): string | null {
  const info = socket.getEphemeralKeyInfo() as { type?: string; name?: string; size?: number } | null;
  if (info?.type === 'DH') return `ffdhe${info.size}`;
  const name = info?.name;
  return name === undefined ? null : groupName(name);
}

/**
 * The finite field groups of RFC 7919, appendix A, for the suites of TLS 1.2 that take them from the server's
 * configuration. TLS 1.3 knows them by name.
 */
export const ffdheParameters: Record<string, string> = {
  ffdhe2048: `-----BEGIN DH PARAMETERS-----
MIIBCAKCAQEA//////////+t+FRYortKmq/cViAnPTzx2LnFg84tNpWp4TZBFGQz
+8yTnc4kmz75fS/jY2MMddj2gbICrsRhetPfHtXV/WVhJDP1H18GbtCFY2VVPe0a
87VXE15/V8k1mE8McODmi3fipona8+/och3xWKE2rec1MKzKT0g6eXq8CrGCsyT7
YdEIqUuyyOP7uWrat2DX9GgdT0Kj3jlN9K5W7edjcrsZCwenyO4KbXCeAvzhzffi
7MA0BM0oNC9hkXL+nOmFg/+OTxIy7vKBg8P+OxtMb61zO7X8vC7CIAXFjvGDfRaD
ssbzSibBsu/6iGtCOGEoXJf//////////wIBAg==
-----END DH PARAMETERS-----
`,
  ffdhe3072: `-----BEGIN DH PARAMETERS-----
MIIBiAKCAYEA//////////+t+FRYortKmq/cViAnPTzx2LnFg84tNpWp4TZBFGQz
+8yTnc4kmz75fS/jY2MMddj2gbICrsRhetPfHtXV/WVhJDP1H18GbtCFY2VVPe0a
87VXE15/V8k1mE8McODmi3fipona8+/och3xWKE2rec1MKzKT0g6eXq8CrGCsyT7
YdEIqUuyyOP7uWrat2DX9GgdT0Kj3jlN9K5W7edjcrsZCwenyO4KbXCeAvzhzffi
7MA0BM0oNC9hkXL+nOmFg/+OTxIy7vKBg8P+OxtMb61zO7X8vC7CIAXFjvGDfRaD
ssbzSibBsu/6iGtCOGEfz9zeNVs7ZRkDW7w09N75nAI4YbRvydbmyQd62R0mkff3
7lmMsPrBhtkcrv4TCYUTknC0EwyTvEN5RPT9RFLi103TZPLiHnH1S/9croKrnJ32
nuhtK8UiNjoNq8Uhl5sN6todv5pC1cRITgq80Gv6U93vPBsg7j/VnXwl5B0rZsYu
N///////////AgEC
-----END DH PARAMETERS-----
`,
};

/** Reason why the TLS library or the system refused, as a clause. */
export function libraryReason(error: unknown): string {
  return causeOf(error) ?? 'the TLS library does not offer it';
}
