import { z } from 'zod';
import { excludes } from '../../base/estimate-arithmetic.ts';
import { requestSchemas } from '../../base/option-schema.ts';
import {
  printDifference,
  printNumber,
  printQuantity,
  printShare,
  printSigned,
  scaleFor,
} from '../../base/quantity.ts';
import { negotiatedTlsSchema } from '../../base/tls-profile.ts';
import { sideNames } from '../../base/transport.ts';
import { armSchema, bySideSchema } from '../../base/transport-schema.ts';
import {
  countSchema,
  type Estimate,
  estimateSchema,
  nonNegativeSchema,
  permalinkIdSchema,
  unixMillisSchema,
} from '../../base/units.ts';
import { estimateColumns, type HistoryView } from '../../measurement/history-view.ts';
import { documentFrame, type Headline, lifeEventSchema, seedSchema } from '../../measurement/measurement.ts';
import { measuredServerSchema, targetRequestSchema } from '../../target/target.ts';
import { factsOf } from '../../target/target-facts.ts';
import { placementSchema } from '../comparison/at-load.ts';
import { pricesTable } from './options.ts';

/**
 * A price list: what each thing that a request can need costs one server, over HTTP and over HTTPS. The model is linear: CPU per request =
 * request + connections per request × price of a connection + price of the body, from a table of sizes. An addition holds at one load only,
 * so prices are those at full load. The load generator may be too slow to fill the server with new connections. The price of a connection
 * is then the slope among cells with new connections alone, and its item contains their load.
 */

export const pricesRequestSchema = z.strictObject({
  kind: z.literal('prices'),
  target: targetRequestSchema.prefault('nginx'),
  ...requestSchemas(pricesTable),
});
export type PricesRequest = z.infer<typeof pricesRequestSchema>;

/** One way to send requests, measured in turns with all others. The arm `stream` is HTTPS with HTTP/2. */
const priceCellSchema = z.strictObject({
  /** `comparison 1000 kept`, `comparison 1000 per 5 resumed`. */
  id: z.string(),
  arm: z.enum([...armSchema.options, 'stream']),
  /** Size of the body; null for the page at `/`, whatever its size. */
  bytes: z.int().positive().nullable(),
  /** Null for connections that stay open. */
  requestsPerConnection: z.int().positive().nullable(),
  /** Whether new connections resume a session. */
  resumed: z.boolean(),
});
export type PriceCell = z.infer<typeof priceCellSchema>;
export type PriceArm = PriceCell['arm'];

/** A cell after the warm-up. */
const priceCellFactsSchema = priceCellSchema.extend({
  /** Per request, on the wire, TLS included. */
  bytesRead: nonNegativeSchema,
  bytesWritten: nonNegativeSchema,
  connectionsPerRequest: nonNegativeSchema,
  /** Reason, in a sentence, why it cannot be measured; null if it can. */
  problem: z.string().nullable(),
});
export type PriceCellFacts = z.infer<typeof priceCellFactsSchema>;

/** A cell in a round. */
const priceSumsSchema = z.strictObject({
  id: z.string(),
  requests: countSchema,
  connections: countSchema,
  /** CPU of the server, µs. */
  cpuUs: nonNegativeSchema,
  elapsedUs: nonNegativeSchema,
});
export type PriceSums = z.infer<typeof priceSumsSchema>;

/** A stored part of the measurement: several turns of every cell, in random order. */
const priceRoundSchema = z.strictObject({
  round: countSchema,
  cells: z.array(priceSumsSchema),
});
export type PriceRound = z.infer<typeof priceRoundSchema>;

/** Memory of one process of the server as connections were opened and left idle, each after one response. */
const memoryLadderSchema = z.strictObject({
  side: z.enum(sideNames),
  /** PSS of the process tree. */
  steps: z.array(z.strictObject({ connections: countSchema, bytes: countSchema })),
  /** PSS after all of them were closed. */
  closedBytes: countSchema,
  /** Reason, in a sentence, why it ended early; null if it did not. */
  problem: z.string().nullable(),
});
export type MemoryLadder = z.infer<typeof memoryLadderSchema>;

/** Values by which connections are priced. */
export const columnValues = {
  key: ['P-256', 'RSA-2048', 'ML-DSA-65'],
  group: ['X25519', 'P-256', 'X25519MLKEM768'],
  version: ['TLSv1.2', 'TLSv1.3'],
} as const;
type ColumnName = keyof typeof columnValues;
const columnNameSchema = z.enum(Object.keys(columnValues) as [ColumnName, ...ColumnName[]]);

/** New connections over HTTPS with one value. */
const pricedColumnSchema = z.strictObject({
  column: columnNameSchema,
  value: z.string(),
  /** Reason, in sentences, why it cannot be measured; null if it can. */
  problem: z.string().nullable(),
  cells: z.array(priceCellFactsSchema),
  rounds: z.array(priceRoundSchema),
});
export type PricedColumn = z.infer<typeof pricedColumnSchema>;

const pricesFactsSchema = z.strictObject({
  seed: seedSchema,
  /** Server as found and configured; null for one that was running already, and until it has started. */
  server: measuredServerSchema.nullable(),
  /** Cores that the server's processes may run on; null if unknown. */
  cores: z.int().positive().nullable(),
  placement: placementSchema.nullable(),
  /** TLS of the HTTPS side; null until it is known. */
  negotiated: negotiatedTlsSchema.nullable(),
  /** Programs that work for a request, if there are several; their CPU is in every price. */
  programs: z.array(z.string()),
  /** Absent unless it was asked for. */
  memory: z.array(memoryLadderSchema).optional(),
  /** Absent unless they were asked for. */
  columns: z.array(pricedColumnSchema).optional(),
  /** Empty until the warm-up has ended. */
  cells: z.array(priceCellFactsSchema),
});
export type PricesFacts = z.infer<typeof pricesFactsSchema>;

const priceItemSchema = z.strictObject({
  /** `request`, `body_16000`, `connection`: the same in every list. */
  id: z.string(),
  title: z.string(),
  /** `us`: CPU of the server; `bytes`: on the wire; `memory_bytes`: PSS. The interval of memory is the range of the processes. */
  unit: z.enum(['us', 'bytes', 'memory_bytes']),
  /** Null where there is no price. */
  ...bySideSchema(estimateSchema.nullable()).shape,
  /** Comparison less baseline. Null unless both have a price. */
  difference: estimateSchema.nullable(),
  /** Share of full load that the load generator reached; absent at full load, and for bytes. */
  loadShare: z.number().positive().optional(),
  /** Reason, in sentences, why a price is missing; null if none is. */
  missing: z.string().nullable(),
});
export type PriceItem = z.infer<typeof priceItemSchema>;

/** Sizes of bodies, bytes, where the target can serve them. */
export const priceSizes = [1000, 4000, 16_000, 64_000, 256_000, 1_000_000];

/** Every item that a list can have, with its unit. */
export const priceUnits: ReadonlyMap<string, PriceItem['unit']> = new Map([
  ...['request', ...priceSizes.slice(1).map((bytes) => `body_${bytes}`), 'per_16_kb'].map(
    (id) => [id, 'us'] as const,
  ),
  ...['connection', 'resumed_connection', 'stream'].map((id) => [id, 'us'] as const),
  ...['request_bytes', 'record_bytes', 'connection_bytes', 'resumed_bytes', 'stream_bytes'].map(
    (id) => [id, 'bytes'] as const,
  ),
  ['memory', 'memory_bytes'],
]);

/** Bumped when the stored document changes shape. */
const pricesSchemaVersion = 1;

/** Document at the permalink. */
export const pricesDocumentSchema = z.strictObject({
  schemaVersion: z.literal(pricesSchemaVersion),
  ...documentFrame,
  kind: z.literal('prices'),
  request: pricesRequestSchema,
  ...pricesFactsSchema.shape,
  /** Empty until three rounds have ended. */
  items: z.array(priceItemSchema),
  /** Prices of new connections over HTTPS, µs; absent unless they were asked for. */
  byColumn: z
    .array(
      z.strictObject({
        column: columnNameSchema,
        value: z.string(),
        full: estimateSchema.nullable(),
        resumed: estimateSchema.nullable(),
        /** Reason, in sentences, why a price is missing; null if none is. */
        missing: z.string().nullable(),
      }),
    )
    .optional(),
  /** The control less the HTTP side, µs per request; null until three rounds have ended. */
  control: estimateSchema.nullable(),
  rounds: z.array(priceRoundSchema),
});
export type PricesDocument = z.infer<typeof pricesDocumentSchema>;

type Listed = Pick<PricesDocument, 'items' | 'server' | 'request' | 'control'>;

/** `HTTPS costs 18 µs per request, 2.9 µs per 16 kB, and 640 µs per new connection`. Null without a price. */
export function pricesHeadline({ items, server, request, control }: Listed): Headline | null {
  const known = headlineItems.flatMap(({ id, per }) => {
    const item = items.find((each) => each.id === id);
    return item?.difference == null ? [] : [{ per, unit: item.unit, difference: item.difference }];
  });
  // The memory of a single process has no interval.
  const clear = known.filter(({ difference }) => excludes(difference, 0) && difference.lo < difference.hi);
  const unclear = known.filter((each) => each.unit === 'us' && !clear.includes(each));
  const [first] = known;
  if (first === undefined) return null;
  const name = server === null ? factsOf(request.target).name : `${server.title} ${server.version}`;
  const share = items.find(({ id }) => id === 'request')?.loadShare;
  const isAnyLess = clear.some(({ difference }) => difference.center < 0);
  const named = clear.map(({ per, unit, difference }) => {
    const more = isAnyLess ? (difference.center < 0 ? ' less' : ' more') : '';
    const much = Math.abs(difference.center);
    return unit === 'us'
      ? `${printUs(much, difference)}${more} per ${per}`
      : `${printNumber(much / 1000, 0)} kB${more === '' ? ' of' : more} memory per ${per}`;
  });
  return {
    title:
      named.length === 0
        ? `HTTPS costs ${intervalInWords(first.difference)} more per ${first.per}. Not certain yet`
        : `HTTPS costs ${new Intl.ListFormat('en-US').format(named)}`,
    second: [
      `Server CPU of ${name} at ${share === undefined ? 'full load' : `${printShare(share)} of full load`}`,
      ...(named.length === 0 ? [] : unclear).map(
        ({ per, difference }) => `per ${per} not certain yet, ${intervalInWords(difference)}`,
      ),
    ].join('; '),
    ...(control === null
      ? {}
      : { third: `Control against HTTP: ${intervalInWords(control)} per request (95 % CI).` }),
  };
}

const headlineItems = [
  { id: 'request', per: 'request' },
  { id: 'per_16_kb', per: '16 kB' },
  { id: 'connection', per: 'new connection' },
  { id: 'memory', per: 'open connection' },
];

/** `−0.2 to +0.4 µs`. */
function intervalInWords(estimate: Estimate): string {
  const scale = scaleFor('us', [Math.max(Math.abs(estimate.lo), Math.abs(estimate.hi))]);
  return `${printSigned(estimate.lo, scale)} to ${printDifference(estimate.hi, scale)}`;
}

/** With the digits of the interval. */
function printUs(value: number, { lo, hi }: Estimate): string {
  return printQuantity(value, scaleFor('us', [Math.max(Math.abs(lo), Math.abs(hi))]));
}

/** The newest list of each server that a machine started, with the items that tell servers apart. */
export const newestListsSchema = z.strictObject({
  lists: z.array(
    z.strictObject({
      id: permalinkIdSchema,
      url: z.string(),
      createdAt: unixMillisSchema,
      ...measuredServerSchema.pick({ title: true, version: true }).shape,
      server: measuredServerSchema.shape.name,
      key: z.string(),
      items: z.array(
        z.strictObject({ id: z.string(), http: z.number().nullable(), difference: estimateSchema }),
      ),
    }),
  ),
});
export type NewestLists = z.infer<typeof newestListsSchema>;

/** SQL view of the items. */
export const pricesHistory: HistoryView = {
  name: 'v_prices',
  table: 'price_figures',
  row: 'one row for each item of a price list',
  columns: [
    { name: 'target', type: 'text', about: 'Server started, or its addresses' },
    { name: 'version', type: 'text', about: 'Version of the server; null for one that was running' },
    { name: 'key', type: 'text', about: 'Key of the certificate; null for a server that was running' },
    { name: 'question', type: 'text', about: 'The same for all lists of one server' },
    { name: 'machine', type: 'text', about: 'Machine that measured, since it was started' },
    { name: 'item', type: 'text', about: 'Id of the item, such as connection' },
    { name: 'unit', type: 'text', about: 'us: µs of server CPU; bytes: on the wire; memory_bytes' },
    ...estimateColumns('http', 'Price over HTTP'),
    ...estimateColumns('https', 'Price over HTTPS'),
    ...estimateColumns('difference', 'https minus http'),
    {
      name: 'load_share',
      type: 'real',
      about: 'Share of full load at which it was measured; null at full load',
    },
  ],
};

/** Schemas of the kind. */
export const prices = {
  request: pricesRequestSchema,
  facts: pricesFactsSchema,
  block: priceRoundSchema,
  document: pricesDocumentSchema,
  event: lifeEventSchema,
};
