import { z } from 'zod';
import { negotiatedTlsSchema } from '../../../../shared/base/tls-profile.ts';
import { type AtLoad, atLoadSchema } from '../../../../shared/kinds/comparison/at-load.ts';
import { type RunRequest, runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import { bothServers } from './made-with.ts';
import { seriesKey } from './series-key.ts';

const serverSchema = z.object({ title: z.string(), version: z.string(), tlsLibrary: z.string().nullable() });

const factsSchema = z.object({
  scenario: scenarioSchema,
  server: serverSchema.nullable().default(null),
  baselineServer: serverSchema.optional(),
  preflight: z
    .object({ sides: z.object({ comparison: z.object({ tls: negotiatedTlsSchema.nullable() }) }) })
    .nullable()
    .catch(null),
  atLoad: atLoadSchema.nullable().catch(null).default(null),
});

type OpenedRun = {
  request: RunRequest;
  /** Of its series. */
  key: string;
  /** Its name. */
  scenario: string;
  /** Of both sides, where they are two. */
  server: ReturnType<typeof bothServers>;
  /** As negotiated by the comparison. */
  tls: z.infer<typeof negotiatedTlsSchema> | null;
  atLoad: AtLoad | null;
};

/** A run as it was stored, of which only this is read. Null for one that cannot be parsed. */
export function openStored({ request, facts }: { request: unknown; facts: unknown }): OpenedRun | null {
  const asked = runRequestSchema.safeParse(request).data;
  const noted = factsSchema.safeParse(facts).data;
  if (asked === undefined || noted === undefined) return null;
  const { scenario, preflight, atLoad } = noted;
  const server = bothServers(noted.server, noted.baselineServer);
  const tls = preflight?.sides.comparison.tls ?? null;
  return { request: asked, key: seriesKey(asked, scenario), scenario: scenario.name, server, tls, atLoad };
}
