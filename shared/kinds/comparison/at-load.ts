import { z } from 'zod';
import { printNumber } from '../../base/quantity.ts';
import { bySideSchema } from '../../base/transport-schema.ts';
import { countSchema, nonNegativeSchema } from '../../base/units.ts';
import { type MetricId, metricOf } from './metric.ts';

/** The load at which a server's cost is read: always a closed loop. Its number of users is found once and then kept. */

/** How the number of users was chosen. */
const loadChoiceSchema = z.enum([
  /** Set in the request. */
  'asked',
  /** No search: a permitted host, a link, or think times. */
  'fixed',
  /** An earlier run of the same question on this machine found it, and it still fits. */
  'known',
  /** Doubled until adding users no longer helped on either side, then doubled once more. */
  'found',
  /** More users still helped, but the search reached its most users or its time limit. */
  'last_tried',
  /** Limited by the connections that the server answers at a time. */
  'most_served',
]);
export type LoadChoice = z.infer<typeof loadChoiceSchema>;

/** Reasons for turns longer than 20 ms. */
const longerTurnReasons = [
  'transactions',
  'think_times',
  'generator_hosts',
  'readings',
  'ticks',
  'settling',
  'quota',
  'programs',
] as const;
export type LongerTurnReason = (typeof longerTurnReasons)[number];

/** A side at this load. Later runs compare with it to see whether the load still fits. Null where its CPU cannot be read. */
const loadedSideSchema = z.strictObject({
  busyCores: nonNegativeSchema.nullable(),
  /** Server CPU per transaction, µs. */
  cpuUs: nonNegativeSchema.nullable(),
});

export const atLoadSchema = z.strictObject({
  /** Virtual users, all of them on one arm at a time. */
  users: z.int().positive(),
  /** Transactions per second that a permitted host allows; null everywhere else. */
  ratePerS: z.number().positive().nullable(),
  /** One arm's share of a round. */
  burstMs: z.number().positive(),
  /** Absent for turns of 20 ms or less. */
  longerFor: z.enum(longerTurnReasons).optional(),
  /** Cores that the target's processes may run on; null where that is not known. */
  cores: z.int().positive().nullable(),
  chosen: loadChoiceSchema,
  /** The sides when the load was found. */
  sides: bySideSchema(loadedSideSchema),
  /** The load of earlier runs, which no longer fit; absent unless this run found another. */
  instead: z.strictObject({ users: z.int().positive(), at: z.int().nonnegative() }).optional(),
});
export type AtLoad = z.infer<typeof atLoadSchema>;

/** "at full load", or the rate that a permitted host allows. */
export function loadInWords(load: Pick<AtLoad, 'ratePerS'> | null): string {
  const rate = load?.ratePerS ?? null;
  return rate === null ? 'at full load' : `at ${printNumber(rate, 0)} transactions/s`;
}

type Titling = {
  scenario: { steps: readonly unknown[] };
  atLoad?: Pick<AtLoad, 'ratePerS'> | null | undefined;
};

/** Title in a run: the transaction of a scenario with one step is a request, and the load of a permitted host is a rate. */
export function titleOfMetric(id: MetricId, { scenario, atLoad = null }: Titling): string {
  const title = metricOf(id).title.replace('at full load', loadInWords(atLoad));
  return scenario.steps.length === 1
    ? title.replace('transaction', 'request').replace('Transactions', 'Requests')
    : title;
}

/** Runs may borrow each other's variance only within a class: a closed loop, or a permitted host's rate. */
const loadClassSchema = z.enum(['full', 'rate']);
type LoadClass = z.infer<typeof loadClassSchema>;

export function loadClassOf({ ratePerS }: Pick<AtLoad, 'ratePerS'>): LoadClass {
  return ratePerS === null ? 'full' : 'rate';
}

/** CPU cores that processes kept to, by the numbers that the kernel gives them. */
export const placementSchema = z.strictObject({
  generator: z.array(countSchema).min(1),
  target: z.array(countSchema).min(1),
  /** Whether one of each are threads of the same core, where it was not to be avoided; left out where that is not known. */
  siblings: z.boolean().optional(),
});
export type Placement = z.infer<typeof placementSchema>;

/** @param placement null where nothing was pinned */
export function describePlacement(placement: Placement | null): string {
  if (placement === null) return 'Generator and target were not pinned to cores.';
  const { generator, target, siblings = false } = placement;
  const where = `Generator on ${nameCores(generator)}, target on ${nameCores(target)}.`;
  if (!siblings) return where;
  const which = generator.length === 1 && target.length === 1 ? 'They are two' : 'Some of them are';
  return `${where} ${which} threads of one core, so each slows the other.`;
}

function nameCores(cores: readonly number[]): string {
  return `${cores.length === 1 ? 'core' : 'cores'} ${cores.join(', ')}`;
}
