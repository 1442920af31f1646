import { z } from 'zod';
import { bySide, type SideName } from '../../../shared/base/transport.ts';
import { estimateSchema, verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { metricIdSchema } from '../../../shared/kinds/comparison/metric-schema.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import { resolveSides } from '../../../shared/kinds/comparison/side.ts';

/** What one run of the bench said, and what each side was in fact. */

const sideSeenSchema = z.strictObject({
  version: z.string().nullable(),
  group: z.string().nullable(),
  /** As the lab calls it, such as `RSA-2048`. */
  key: z.string().nullable(),
  resumed: z.boolean(),
  clientCertificates: z.boolean(),
  connections: z.int(),
});
export type SideSeen = z.infer<typeof sideSeenSchema>;

export const observedSchema = z.strictObject({
  seconds: z.number().nonnegative(),
  state: z.string(),
  outcome: verdictOutcomeSchema.nullable(),
  /** Rows that claim a difference. */
  claims: z.array(metricIdSchema),
  /** Of server CPU at load: µs per transaction, which has one connection where the question is about handshakes. */
  deltaUs: estimateSchema.nullable(),
  ratio: estimateSchema.nullable(),
  /** That its TLS comes from; null where it is not known. */
  library: z.string().nullable(),
  sides: z.tuple([sideSeenSchema, sideSeenSchema]).nullable(),
  /** The verdict, or why there is none. */
  said: z.string(),
});
export type Observed = z.infer<typeof observedSchema>;

export function observe(document: RunDocument, seconds: number): Observed {
  const cpu = document.metrics.find(({ id }) => id === 'cpu_at_load');
  const seen = bySide((side) => sideSeen(document, side));
  return {
    ...{ seconds, state: document.state, outcome: document.verdict?.outcome ?? null },
    claims: document.metrics.flatMap(({ id, outcome }) => (outcome === 'overhead' ? [id] : [])),
    ...{ deltaUs: cpu?.delta ?? null, ratio: cpu?.ratio ?? null },
    library: document.server?.tlsLibrary ?? null,
    sides: [seen.baseline, seen.comparison],
    said: document.verdict?.sentence ?? document.problem?.detail ?? document.state,
  };
}

/** One that was refused before it began, or failed. */
export function observeRefusal(said: string, seconds: number): Observed {
  const nothing = { outcome: null, claims: [], deltaUs: null, ratio: null, library: null, sides: null };
  return { ...nothing, seconds, state: 'refused', said };
}

function sideSeen(document: RunDocument, side: SideName): SideSeen {
  const { negotiated, handshakes, connections } = document.tls[side];
  const { protocol = null, group = null, key = null } = negotiated ?? {};
  const { sides, tls } = document.asked;
  const { target } = resolveSides({ sides, tls, target: document.target })[side];
  return {
    ...{ version: protocol, key: key?.replace(/^EC /, '').replace(' ', '-') ?? null, connections },
    // A library says none on a resumed connection.
    group: group ?? document.preflight?.sides[side].tls?.group ?? null,
    resumed: handshakes.resumed > handshakes.full,
    clientCertificates: target.kind === 'managed' && target.clientCertificates,
  };
}
