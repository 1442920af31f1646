import { z } from 'zod';
import { linkSchema } from '../../../shared/kinds/comparison/link.ts';

/** What the processes of a link can be asked. */

const portSchema = z.int().min(1).max(65_535);

export const relayQuestions = {
  /** Answers with a port for each target, in the same order. */
  open: {
    question: z.strictObject({
      link: linkSchema,
      targets: z.array(z.strictObject({ address: z.union([z.ipv4(), z.ipv6()]), port: portSchema })).min(1),
    }),
    answer: z.array(portSchema),
  },
  /** Ends what was opened. */
  close: { question: z.void(), answer: z.void() },
};

const times = z.instanceof(Float64Array);

export const pingQuestions = {
  /** Starts what answers pings; says its port. */
  listen: { question: z.void(), answer: portSchema },
  /** From now on, pings what answers straight and through the relay at this port in turn, until the relay closes. */
  ping: { question: z.strictObject({ port: portSchema }), answer: z.void() },
  /** Round trips through this port, and of the pings straight between them, in ms. */
  read: {
    question: z.strictObject({ port: portSchema }),
    answer: z.strictObject({ straight: times, relayed: times }),
  },
};
