import { z } from 'zod';
import type { PlacedOption } from '../base/option.ts';
import { comparison } from '../kinds/comparison/run.ts';
import { distance } from '../kinds/distance/distance.ts';
import { explain } from '../kinds/explain/explain.ts';
import { handshakes } from '../kinds/handshakes/handshakes.ts';
import { mesh } from '../kinds/mesh/mesh.ts';
import { prices } from '../kinds/prices/prices.ts';
import { servers } from '../kinds/servers/servers.ts';
import { sizes } from '../kinds/sizes/size-progress.ts';
import { speed } from '../kinds/speed/speed.ts';
import { visits } from '../kinds/visits/visits-progress.ts';
import type { KindName } from '../measurement/kind-names.ts';
import { lifeEvents } from '../measurement/measurement.ts';

type Shapes = {
  request: z.ZodObject;
  document: z.ZodObject;
  /** Events of its log: those of every measurement, and its own. */
  event: z.ZodDiscriminatedUnion;
  /** Only of kinds whose command takes nothing but options. */
  command?: { options: readonly PlacedOption[]; help: string };
};

/** Schemas of the request, document, and events of each kind of measurement: the only such list. */
export const kinds = {
  comparison,
  handshakes,
  speed,
  visits,
  sizes,
  servers,
  distance,
  mesh,
  explain,
  prices,
} satisfies Record<KindName, Shapes>;

type Shape = (typeof kinds)[KindName];
/** Kinds whose command line is their table of options. */
export type TabledKind = {
  [Kind in KindName]: (typeof kinds)[Kind] extends { command: unknown } ? Kind : never;
}[KindName];
type EventOption = Shape['event']['options'][number];

/** Event of any log. Two kinds may share an event. */
export const measurementEventSchema = z.discriminatedUnion('type', [
  ...new Set<EventOption>([
    ...lifeEvents,
    ...shapes().flatMap(({ event }): readonly EventOption[] => event.options),
  ]),
] as unknown as [EventOption, ...EventOption[]]);
export type MeasurementEvent = z.infer<typeof measurementEventSchema>;

export type MeasurementRequestInput = z.input<Shape['request']>;

/** A schema made of those of all kinds, told apart by their kind. */
export function unionOfKinds<Schema extends z.ZodObject>(schemaOf: (shape: Shape) => Schema) {
  return z.discriminatedUnion('kind', shapes().map(schemaOf) as [Schema, ...Schema[]]);
}

export const measurementDocumentSchema = unionOfKinds(({ document }): Shape['document'] => document);
export type MeasurementDocument = z.infer<typeof measurementDocumentSchema>;

function shapes(): Shape[] {
  return Object.values(kinds);
}
