import { z } from 'zod';
import { type NegotiatedTls, negotiatedTlsSchema } from '../../../../shared/base/tls-profile.ts';
import { type BySide, bySide } from '../../../../shared/base/transport.ts';
import { bySideSchema } from '../../../../shared/base/transport-schema.ts';
import { type AtLoad, atLoadSchema } from '../../../../shared/kinds/comparison/at-load.ts';
import { programSchema } from '../../../../shared/kinds/comparison/program.ts';
import { type RunRequest, runRequestSchema } from '../../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../../shared/kinds/comparison/servers-of-sides.ts';
import { scenarioSchema } from '../../../../shared/scenario/scenario.ts';
import type { NamedServer } from './made-with.ts';
import { questionOf } from './question-of.ts';

const serverSchema = z.object({ title: z.string(), version: z.string(), tlsLibrary: z.string().nullable() });

const factsSchema = z.object({
  scenario: scenarioSchema,
  plan: z.object({ openMs: z.number().nullable() }),
  server: serverSchema.nullable().default(null),
  baselineServer: serverSchema.optional(),
  preflight: z
    .object({ sides: bySideSchema(z.object({ tls: negotiatedTlsSchema.nullable() })) })
    .nullable()
    .catch(null),
  atLoad: atLoadSchema.nullable().catch(null).default(null),
  departed: z.string().optional().catch(undefined),
  programs: z
    .array(z.object({ name: z.string(), role: programSchema.shape.role }))
    .catch([])
    .default([]),
});

type OpenedRun = {
  request: RunRequest;
  question: string;
  /** At which it was asked in open load, where metrics that are read there are alike. */
  openLoad: string;
  servers: BySide<NamedServer | null>;
  /** As the check of the target found it; null without TLS. */
  negotiated: BySide<NegotiatedTls | null>;
  atLoad: AtLoad | null;
  programs: z.infer<typeof factsSchema>['programs'];
  /** How connections departed from the plan; undefined where they did not. */
  departed: string | undefined;
};

/** A run as it was stored, of which only this is read. Null for one that cannot be parsed. */
export function openStored({ request, facts }: { request: unknown; facts: unknown }): OpenedRun | null {
  const asked = runRequestSchema.safeParse(request).data;
  const noted = factsSchema.safeParse(facts).data;
  if (asked === undefined || noted === undefined) return null;
  const { scenario, plan, preflight, atLoad, programs, departed } = noted;
  return {
    request: asked,
    question: questionOf(asked, scenario),
    openLoad: openLoadOf(asked, plan),
    servers: serversOfSides(noted),
    negotiated: bySide((side) => preflight?.sides[side].tls ?? null),
    atLoad,
    programs,
    departed,
  };
}

export function openLoadOf(
  { ratePerS, rampMs }: Pick<RunRequest, 'ratePerS' | 'rampMs'>,
  { openMs }: { openMs: number | null },
): string {
  return openMs === null ? 'none' : JSON.stringify([ratePerS, rampMs]);
}
