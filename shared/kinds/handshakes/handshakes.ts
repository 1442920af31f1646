import { z } from 'zod';
import { groupNames, keyNames, tlsVersions } from '../../base/cipher-suites.ts';
import { lowered } from '../../base/cut.ts';
import { exactly, excludes } from '../../base/estimate-arithmetic.ts';
import { requestSchemas } from '../../base/option-schema.ts';
import { printNumber, printQuantity, scaleFor } from '../../base/quantity.ts';
import { certificateCodecs } from '../../base/tls.ts';
import { bothWaysSchema, countSchema, estimateSchema, nonNegativeSchema } from '../../base/units.ts';
import {
  cellsEventsSchema,
  documentFrame,
  type Headline,
  seedSchema,
} from '../../measurement/measurement.ts';
import {
  type Compared,
  differenceBy,
  endsInWords,
  guessInWords,
  printDifferenceOf,
} from '../comparison/shift.ts';
import { axesTable, handshakesPresets, handshakesTable, resumptions } from './options.ts';

/**
 * The handshake grid: what one connection costs, both ends in one process through memory, for every cell of a grid of
 * protocol, suite, key, group, payload and resumption.
 */

const presetSchema = z.enum(handshakesPresets, {
  error: `a preset is one of ${handshakesPresets.join(', ')}`,
});
export type HandshakesPreset = z.infer<typeof presetSchema>;

const resumptionSchema = z.enum(resumptions);
export type Resumption = z.infer<typeof resumptionSchema>;

const gridAxesSchema = z.strictObject(requestSchemas(axesTable));
export type GridAxes = z.infer<typeof gridAxesSchema>;

export const handshakesRequestSchema = z.strictObject({
  kind: z.literal('handshakes'),
  grid: z
    .union([presetSchema, gridAxesSchema], {
      error: ({ input }) =>
        `${typeof input === 'string' ? `${JSON.stringify(input)} is not a grid: it` : 'a grid'} is one of ${handshakesPresets.join(', ')}, or axes`,
    })
    .default('today'),
  ...requestSchemas(handshakesTable),
});
export type HandshakesRequest = z.infer<typeof handshakesRequestSchema>;
export type HandshakesRequestInput = z.input<typeof handshakesRequestSchema>;

/** Settings of one cell as requested. */
export const handshakeCellSchema = z.strictObject({
  /** `TLSv1.3/TLS_AES_128_GCM_SHA256/P-256/X25519/1/full`: the same in every document. Of a chain, its key is `P-256+2+brotli`. */
  id: z.string(),
  version: z.enum(tlsVersions),
  cipher: z.string(),
  key: z.enum(keyNames),
  /** Intermediate certificates that the server sends; left out for none. */
  chain: z.int().min(1).max(3).optional(),
  /** How the server compresses its certificates; left out for not at all. */
  compression: z.enum(certificateCodecs).optional(),
  /** Null where the client encrypts its secret to the server's RSA key. */
  group: z.enum(groupNames).nullable(),
  /** The group that the client tries first, when the server does not want it. */
  guess: z.enum(groupNames).optional(),
  bytes: z.int().positive(),
  resumption: resumptionSchema,
});
export type HandshakeCell = z.infer<typeof handshakeCellSchema>;
/** Settings of a cell that decide which certificates its server sends. */
export type Certificates = Pick<HandshakeCell, 'key' | 'chain' | 'compression'>;

/** `RSA-2048, 2 intermediates, brotli`. */
export function certificatesInWords({ key, chain, compression }: Certificates): string {
  const many = chain === 1 ? '1 intermediate' : `${chain} intermediates`;
  return [key, chain === undefined ? undefined : many, compression]
    .filter((part) => part !== undefined)
    .join(', ');
}

/** `P-256 after X25519` for a client that guesses wrong. Null without a group. */
export function groupInWords({ group, guess }: Pick<HandshakeCell, 'group' | 'guess'>): string | null {
  return guess === undefined ? group : `${group} after ${guess}`;
}

/** Spread over single connections, in microseconds. */
const spreadSchema = z.strictObject({
  mean: nonNegativeSchema,
  median: nonNegativeSchema,
  p5: nonNegativeSchema,
  p95: nonNegativeSchema,
});
export type Spread = z.infer<typeof spreadSchema>;

/** Traffic on the wire, from the records of one connection. */
const wireSchema = z.strictObject({
  /** Up to both Finished messages. */
  handshakeBytes: bothWaysSchema,
  /** And with the session tickets: the same where TLS 1.2 sends them within the handshake. */
  withTicketsBytes: bothWaysSchema,
  /** Turns of the handshake: 3 is CLIENT → SERVER → CLIENT. */
  flights: countSchema,
  /** The server asked for another group: a round trip more. */
  helloRetry: z.boolean(),
});
export type Wire = z.infer<typeof wireSchema>;

/** Read back from the connection, the same on every one of the cell. */
const agreedSchema = z.strictObject({
  version: z.string(),
  cipher: z.string(),
  /** Null when the library does not say: without a key agreement, or on a resumed connection of TLS 1.2. */
  group: z.string().nullable(),
  reused: z.boolean(),
});
export type Agreed = z.infer<typeof agreedSchema>;

/** Median CPU time of each end in a process of its own, over a socket, in microseconds: the kernel's work is in it, on both. */
const endsSchema = z.strictObject({
  connections: countSchema,
  clientCpuUs: estimateSchema,
  serverCpuUs: estimateSchema,
});
export type Ends = z.infer<typeof endsSchema>;

const measuredCellSchema = z.strictObject({
  status: z.literal('measured'),
  cell: handshakeCellSchema,
  connections: countSchema,
  /** CPU of both ends together, per connection: user and system. */
  cpuUs: spreadSchema,
  /** The user part of it, by its share in all connections: of a single one the kernel cannot tell. */
  userUs: spreadSchema,
  wallUs: spreadSchema,
  /** Rate of one core that does both ends and nothing else: 1 s divided by the median of `cpuUs`. */
  connectionsPerS: nonNegativeSchema,
  wire: wireSchema,
  agreed: agreedSchema,
  /** CPU of a connection divided by the baseline cell's in the same round; null with fewer than six rounds, and of the baseline cell. */
  ratio: estimateSchema.nullable(),
  /** Ratio of every round, in order; `ratio` is their center. */
  roundRatios: z.array(z.number()),
  /** Null when it was not measured with the ends apart. */
  ends: endsSchema.nullable(),
});
export type MeasuredCell = z.infer<typeof measuredCellSchema>;

const cellResultSchema = z.discriminatedUnion('status', [
  measuredCellSchema,
  /** The library does not do it; `reason` is what it says. */
  z.strictObject({ status: z.literal('not-negotiated'), cell: handshakeCellSchema, reason: z.string() }),
  /** It began, and then went wrong. */
  z.strictObject({ status: z.literal('failed'), cell: handshakeCellSchema, reason: z.string() }),
]);
export type CellResult = z.infer<typeof cellResultSchema>;

/** The runtime's own share: the same pair of streams without TLS, with as many turns and bytes. */
const plainPairSchema = z.strictObject({
  bytes: z.int().positive(),
  connections: countSchema,
  cpuUs: spreadSchema,
  userUs: spreadSchema,
  /** The same with each end in a process of its own. */
  ends: endsSchema.nullable(),
});
export type PlainPair = z.infer<typeof plainPairSchema>;

/** Work done so far. */
const planSchema = z.strictObject({
  cells: countSchema,
  warmUps: countSchema,
  rounds: countSchema,
  roundsPlanned: countSchema,
  /** Connections of each cell in all rounds; expensive cells get fewer when time is limited. */
  connectionsPlanned: countSchema,
});

/** Facts of a grid that are known while it goes on, and remain in its result. */
const handshakesFacts = {
  seed: seedSchema,
  plan: planSchema,
  cells: z.array(cellResultSchema),
  /**
   * The cell that every ratio is to, from the visits between those to the others. If `cells` also contains it, it has the same
   * figures there, and every other cell’s are its ratio times these. Null when nothing was measured.
   */
  baseline: measuredCellSchema.nullable(),
  plain: z.array(plainPairSchema),
  warnings: z.array(z.string()),
};
export const handshakesFactsSchema = z.strictObject(handshakesFacts);
export type HandshakesFacts = z.infer<typeof handshakesFactsSchema>;

/** Bumped when the stored document changes shape. */
const handshakesSchemaVersion = 1;

/** Document at the permalink. */
export const handshakesDocumentSchema = z.strictObject({
  schemaVersion: z.literal(handshakesSchemaVersion),
  ...documentFrame,
  kind: z.literal('handshakes'),
  request: handshakesRequestSchema,
  ...handshakesFacts,
});
export type HandshakesDocument = z.infer<typeof handshakesDocumentSchema>;

/** Answers of a process of the lab. */

/** Bytes that one side sends before it waits for the other, in order. */
export const turnsSchema = z.array(
  z.strictObject({ from: z.enum(['client', 'server']), bytes: z.int().nonnegative() }),
);
export type Turn = z.infer<typeof turnsSchema>[number];

/** One number a connection, in the order of the connections; in microseconds. */
export const timesSchema = z.instanceof(Float64Array);

/** Times of every connection of a visit. */
export const samplesSchema = z.strictObject({
  cpuUs: timesSchema,
  wallUs: timesSchema,
  /** User time of all connections together: the kernel's ticks are too coarse to separate user from system for a single one. */
  userUs: nonNegativeSchema,
});
export type Samples = z.infer<typeof samplesSchema>;

/** Result of a cell's first connection. */
export const preparedSchema = z.strictObject({ wire: wireSchema, agreed: agreedSchema, turns: turnsSchema });
export type Prepared = z.infer<typeof preparedSchema>;

/** Findings of the grid in sentences: the same on the page, in Markdown, and in a terminal. */

type Grid = Pick<HandshakesDocument, 'cells' | 'baseline'>;

/** A full handshake compared with a resumed one; without one, the most expensive cell compared with the baseline, or the baseline alone. Null until that is measured. */
export function handshakesHeadline({ cells, baseline }: Grid): Headline | null {
  if (baseline === null) return null;
  const { median } = baseline.cpuUs;
  const resumed = resumedOf(cells, baseline);
  if (resumed !== undefined && resumed.ratio !== null) {
    const { center, lo, hi } = resumed.ratio;
    const full = { center: 1 / center, lo: 1 / hi, hi: 1 / lo };
    // Divided and multiplied again, the median would not be what it was.
    const row = { ...differenceBy('us', median * center, full), comparison: exactly(median) };
    return costHeadline(row, 'A full handshake', 'a resumed one', nameCell(baseline.cell));
  }
  const dearest = dearestOf(cells, baseline);
  if (dearest?.ratio == null) {
    const cost = printQuantity(median, scaleFor('us', [median]));
    return {
      title: `A ${baseline.cell.resumption} handshake costs ${cost} of CPU on both ends together`,
      second: nameCell(baseline.cell),
    };
  }
  const row = differenceBy('us', median, dearest.ratio);
  const names = [dearest, baseline].map(({ cell }) => nameCell(cell));
  return costHeadline(row, `A handshake with ${names[0]}`, names[1] ?? '', 'both ends together');
}

/** @param of what was measured, for the second line */
function costHeadline(row: Compared, subject: string, first: string, of: string): Headline | null {
  const printed = printDifferenceOf(row);
  if (printed === null || row.delta === null) return null;
  if (!excludes(row.delta, 0)) {
    const second = `CPU of ${lowered(subject)}, compared with ${first} (${printed.values}), ${of}`;
    return { title: guessInWords(printed), second };
  }
  return {
    title: `${subject} costs ${printed.amount} ${row.delta.center > 0 ? 'more' : 'less'} CPU than ${first}`,
    second: `${printed.change?.signed} (${printed.values}), ${of}`,
    third: `95 % CI ${endsInWords(printed)}.`,
  };
}

function resumedOf(cells: readonly CellResult[], baseline: MeasuredCell): MeasuredCell | undefined {
  return measuredOf(cells).find(
    ({ cell }) =>
      cell.resumption === 'resumed' &&
      baseline.cell.resumption === 'full' &&
      sameBut(cell, baseline.cell, 'resumption'),
  );
}

/** Findings below the headline. */
export function sentencesOf({ cells, baseline }: Grid): string[] {
  return baseline === null ? [] : dearestSentence(cells, baseline);
}

/** Certainly more expensive than the baseline. */
function dearestOf(cells: readonly CellResult[], baseline: MeasuredCell): MeasuredCell | undefined {
  const dearest = fullOf(cells, baseline).toSorted((a, b) => b.cpuUs.median - a.cpuUs.median)[0];
  return dearest?.cell.id !== baseline.cell.id && (dearest?.ratio?.lo ?? 0) > 1 ? dearest : undefined;
}

function fullOf(cells: readonly CellResult[], baseline: MeasuredCell): MeasuredCell[] {
  return measuredOf(cells).filter(
    ({ cell }) => cell.resumption === 'full' && cell.bytes === baseline.cell.bytes,
  );
}

function dearestSentence(cells: readonly CellResult[], baseline: MeasuredCell): string[] {
  const full = fullOf(cells, baseline);
  const dearest = dearestOf(cells, baseline);
  if (dearest?.ratio == null) return [];
  const lowest = dearest.ratio.lo;
  const us = baseline.cpuUs.median * dearest.ratio.center;
  const rivals = full.filter((cell) => cell !== dearest && (cell.ratio?.hi ?? 0) >= lowest);
  const claim = rivals.length === 0 ? 'The most expensive handshake' : 'Among the most expensive handshakes';
  return [
    `${claim} in the grid is ${nameCell(dearest.cell)}: ${printQuantity(us, scaleFor('us', [us]))}${against(dearest)}.`,
  ];
}

export function measuredOf(cells: readonly CellResult[]): MeasuredCell[] {
  return cells.filter((cell) => cell.status === 'measured');
}

/** `TLS 1.3, X25519, P-256`, and the suite where the protocol leaves a choice that matters. */
export function nameCell(cell: HandshakeCell): string {
  const { version, cipher } = cell;
  return `${version.replace('v', ' ').replace(/^TLS 1$/, 'TLS 1.0')}, ${groupInWords(cell) ?? 'RSA encryption'}, ${certificatesInWords(cell)}${version === 'TLSv1.3' ? '' : `, ${cipher}`}`;
}

function sameBut(one: HandshakeCell, other: HandshakeCell, axis: keyof HandshakeCell): boolean {
  const { id: _, ...axes } = one;
  return (Object.keys(axes) as (keyof typeof axes)[]).every(
    (name) => name === axis || one[name] === other[name],
  );
}

function against({ ratio }: MeasuredCell): string {
  if (ratio === null) return '';
  return `, ${printNumber(ratio.center, 2)} times as much (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`;
}

/** Schemas of the kind, which stores no blocks. */
export const handshakes = {
  request: handshakesRequestSchema,
  facts: handshakesFactsSchema,
  block: z.never(),
  document: handshakesDocumentSchema,
  event: cellsEventsSchema,
};
