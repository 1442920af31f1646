import type { TLSSocket } from 'node:tls';
import { z } from 'zod';
import { countSchema, portSchema } from '../../../shared/base/units.ts';
import {
  type Agreed,
  type HandshakeCell,
  handshakeCellSchema,
  preparedSchema,
  samplesSchema,
  timesSchema,
  turnsSchema,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { groupName } from '../../base/addresses/offered-tls.ts';

/** `turns` plays those of a handshake, and the cell's payload, without TLS. */
const what = { cell: handshakeCellSchema, turns: turnsSchema.nullable() };
const connections = countSchema;
const path = z.string();

export const questions = {
  prepare: { question: z.strictObject({ cell: handshakeCellSchema }), answer: preparedSchema },
  visit: { question: z.strictObject({ ...what, connections }), answer: samplesSchema },
  /** Answers at the path of a socket, until it is told to listen to something else. */
  listen: { question: z.strictObject({ ...what, path }), answer: z.void() },
  /** Opens a session to resume, where the cell does, and some connections that do not count. */
  meet: { question: z.strictObject({ ...what, path, connections }), answer: z.void() },
  dial: { question: z.strictObject({ ...what, path, connections }), answer: samplesSchema },
  /** Answers on a port of 127.0.0.1 until the process ends, with TLS where there is a cell. Says the port. */
  serve: { question: z.strictObject({ cell: handshakeCellSchema.nullable() }), answer: portSchema },
  /**
   * Times new connections to a port, from their beginning to the first byte of the answer, in milliseconds. A session to
   * resume comes from `nearPort`, where the same end answers at once.
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

/** What a client's connection has agreed on. Throws a sentence when it is not what the cell asks. */
export function readAgreed(socket: TLSSocket, cell: HandshakeCell, resumes: boolean): Agreed {
  const version = socket.getProtocol() ?? 'unknown';
  const cipher = socket.getCipher().name;
  const reused = socket.isSessionReused();
  // On a resumed connection of TLS 1.2 the library shows the group of the one that the session comes from.
  const agreesKey = !reused || version === 'TLSv1.3';
  const group = agreesKey ? groupOf(socket) : null;
  if (version !== cell.version) throw new Error(`agreed on ${version}, not on ${cell.version}`);
  if (cipher !== cell.cipher) throw new Error(`agreed on ${cipher}, not on ${cell.cipher}`);
  if (agreesKey && group !== cell.group)
    throw new Error(`agreed in ${group ?? 'no group'}, not in ${cell.group}`);
  if (reused !== resumes) throw new Error(reused ? 'the session was resumed' : 'the session was not resumed');
  return { version, cipher, group, reused };
}

/** Null without a key agreement. */
function groupOf(socket: TLSSocket): string | null {
  const info = socket.getEphemeralKeyInfo() as { type?: string; name?: string; size?: number } | null;
  if (info?.type === 'DH') return `ffdhe${info.size}`;
  const name = info?.name;
  return name === undefined ? null : groupName(name);
}
