import { z } from 'zod';
import { countSchema, portSchema } from '../../../shared/base/units.ts';
import { linkSchema } from '../../../shared/kinds/comparison/link.ts';

/** Questions to the processes of a link. */

const openQuestion = z.strictObject({
  link: linkSchema,
  targets: z.array(z.strictObject({ address: z.union([z.ipv4(), z.ipv6()]), port: portSchema })).min(1),
});

export const relayQuestions = {
  /** Answers with a port for each target, in the same order. */
  open: { question: openQuestion, answer: z.array(portSchema) },
  /** Ends what was opened. */
  close: { question: z.void(), answer: z.void() },
};

const times = z.instanceof(Float64Array);

export const forwarderQuestions = {
  /** Opens a TUN device; refused with the end of a sentence where there is none. */
  start: { question: z.void(), answer: z.void() },
  /** Answers with an address for each target, in the same order: the port stays. The seed draws which packets are lost. Refused with a sentence. */
  open: {
    question: openQuestion.extend({ seed: countSchema }),
    answer: z.strictObject({ addresses: z.array(z.ipv4()), congestionControl: z.string() }),
  },
  /** Packets so far, of the links to these addresses. */
  count: {
    question: z.strictObject({ addresses: z.array(z.ipv4()) }),
    answer: z.strictObject({ packets: countSchema, lost: countSchema, overflowed: countSchema }),
  },
  /** Ends what was opened, and the device. */
  close: { question: z.void(), answer: z.void() },
};

const endSchema = z.strictObject({ address: z.ipv4(), port: portSchema });

export const pingQuestions = {
  /** Starts what answers pings; says its port. */
  listen: { question: z.void(), answer: portSchema },
  /** Whether what answers is reached at this end of a link within this time. */
  reach: { question: z.strictObject({ end: endSchema, withinMs: z.number() }), answer: z.boolean() },
  /** From now on, pings what answers straight and at this end of a link in turn, until the link closes. */
  ping: { question: endSchema, answer: z.void() },
  /** Round trips through this end, and of the pings straight between them, in ms. */
  read: {
    question: endSchema,
    answer: z.strictObject({ straight: times, linked: times }),
  },
};
