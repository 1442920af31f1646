import { z } from 'zod';
import { countSchema, portSchema } from '../../../shared/base/units.ts';
import {
  preparedSchema,
  samplesSchema,
  timesSchema,
  turnsSchema,
} from '../../../shared/kinds/handshakes/handshake-samples.ts';
import { handshakeCellSchema } from '../../../shared/kinds/handshakes/handshakes.ts';

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
