import {
  estimateDecimals,
  printChange,
  printNumber,
  printShare,
  type Scale,
  scaleFor,
} from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import { describePlacement } from '../kinds/comparison/at-load.ts';
import {
  type PredictedRun,
  type Predictions,
  predictionsInWords,
  trafficInWords,
} from '../kinds/prices/predictions.ts';
import { type PriceItem, type PricesDocument, pricesHeadline } from '../kinds/prices/prices.ts';
import { factsOf } from '../target/target-facts.ts';
import {
  byReason,
  type Finding,
  leadOf,
  list,
  quantities,
  type Section,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** A price list: each item over HTTP, over HTTPS, and the difference. */
export function pricesFinding(document: PricesDocument): Finding {
  const { items, rounds, placement, request, programs, byColumn = [] } = document;
  const headline = pricesHeadline(document);
  return {
    title: headline?.title ?? `What TLS costs ${factsOf(request.target).name}, item by item`,
    lead: leadOf(headline),
    measured: `${rounds.length} rounds of all combinations in random order, ${request.seconds} s.`,
    about: [
      `Prices are the CPU of ${programs.length === 0 ? 'the server' : new Intl.ListFormat('en-US').format(programs)}. The interval of each price is computed from the rounds.`,
    ],
    sections: [
      {
        id: 'prices',
        heading: 'Prices',
        parts: [
          priceTable(
            items.filter(({ unit }) => unit === 'us'),
            'Server CPU, µs with 95 % CI',
          ),
          list(doubtsOf(items)),
        ],
      },
      {
        id: 'columns',
        heading: 'Connections by key, key agreement, and TLS version',
        parts: [...Map.groupBy(byColumn, ({ column }) => column)].flatMap(([column, own]) => [
          table(
            [
              ...texts(columnTitles[column]),
              ...quantities(['New connection', 'full'], ['Resumed connection', 'resumed']),
            ],
            own.map(({ value, full, resumed }) => [
              value,
              full === null ? null : printPrice('us', full),
              resumed === null ? null : printPrice('us', resumed),
            ]),
            'Server CPU over HTTPS, µs with 95 % CI',
            own.map(({ value }) => `prices/${column}/${value}`),
          ),
          list(own.flatMap(({ value, missing }) => (missing === null ? [] : [`${value}: ${missing}`]))),
        ]),
      },
      {
        id: 'bytes',
        heading: 'Bytes',
        parts: [
          priceTable(
            items.filter(({ unit }) => unit === 'bytes'),
            'Bytes on the wire, both ways',
          ),
        ],
      },
      {
        id: 'memory',
        heading: 'Memory',
        lead: 'Memory (PSS) of the server from 0 to 2,000 open, idle connections, each after one response.',
        parts: [
          priceTable(
            items.filter(({ unit }) => unit === 'memory_bytes'),
            // It keeps memory of earlier connections, of which those over HTTPS are the last.
            request.target.kind === 'origins'
              ? 'At least, from the process that was running'
              : 'Mean and range of fresh processes',
          ),
        ],
      },
    ],
    where: [describePlacement(placement)],
  };
}

const columnTitles: Record<NonNullable<PricesDocument['byColumn']>[number]['column'], string> = {
  ...{ key: 'Certificate key', group: 'Key agreement', version: 'TLS version' },
};
/** Later runs of the server of a list. */
export function predictionsSection(predictions: Predictions): Section {
  const { runs } = predictions;
  return {
    id: 'predictions',
    heading: 'Predicted and measured',
    parts: [
      text(...predictionsInWords(predictions)),
      table(
        [
          ...texts('Run', 'Traffic'),
          ...quantities(...predictionColumns.map(({ title, part }) => [title, part] as const)),
        ],
        runs.map((run) => [
          run.title,
          trafficInWords(run),
          ...predictionColumns.map(({ print }) => print(run)),
        ]),
        predictionsCaption,
        runs.map(({ id }) => `prices/predictions/${id}`),
      ),
      list(leftOutInWords(predictions)),
    ],
  };
}

export const predictionsCaption = 'Difference per request, µs of server CPU with 95 % CI';

export const predictionColumns: { title: string; part: string; print(run: PredictedRun): string }[] = [
  { title: 'By the list', part: 'listed', print: ({ listed }) => printCost(listed.difference) },
  { title: 'Scaled to the run', part: 'scaled', print: ({ scaled }) => printCost(scaled.difference) },
  { title: 'Measured', part: 'measured', print: ({ measured }) => printCost(measured.difference) },
  {
    title: 'Scaled ÷ measured',
    part: 'miss',
    print: ({ scaled, measured, agrees }) =>
      `${printChange(scaled.difference.center / measured.difference.center, 0)}${agrees ? '' : ', off'}`,
  },
];

/** Runs that the list cannot predict, by reason. */
export function leftOutInWords({ leftOut }: Pick<Predictions, 'leftOut'>): string[] {
  return byReason(leftOut.map(({ title, reason }) => ({ name: title, reason })));
}

/** `49 µs (47 to 52)`. */
function printCost({ center, lo, hi }: Estimate): string {
  const scale = scaleFor('us', [center]);
  const decimals = estimateDecimals({ center, lo, hi }, scale.divisor);
  const [value, ...ends] = [center, lo, hi].map((each) => printNumber(each / scale.divisor, decimals));
  return `${value} ${scale.symbol} (${ends.join(' to ')})`;
}

function priceTable(items: readonly PriceItem[], caption: string): TablePart {
  return table(
    [...texts('Item'), ...quantities(['HTTP', 'first'], ['HTTPS', 'second'], ['Difference', 'difference'])],
    items.map(rowOf),
    caption,
    items.map(({ id, unit }) => `prices/${unit}/${id}`),
  );
}

/** The second side is shown as the first one plus the difference, so that a reader who subtracts gets the difference. */
function rowOf({ title, unit, baseline, comparison, difference }: PriceItem) {
  const scale = scaleOfItem(
    unit,
    [difference, comparison, baseline].filter((each) => each !== null),
  );
  const round = (value: number) => Number((value / scale.divisor).toFixed(scale.decimals)) * scale.divisor;
  const print = (estimate: Estimate | null, center?: number) =>
    estimate === null ? null : printPrice(unit, estimate, { scale, center });
  const second =
    baseline === null || difference === null ? undefined : round(baseline.center) + round(difference.center);
  return [title, print(baseline), print(comparison, second), print(difference)];
}

/** `18.2 µs (17.9 to 18.5)`, with the digits of its interval unless there is a scale. */
export function printPrice(
  unit: PriceItem['unit'],
  estimate: Estimate,
  {
    scale = scaleOfItem(unit, [estimate]),
    center = estimate.center,
  }: { scale?: Scale; center?: number | undefined } = {},
): string {
  const [value, ...ends] = [center, estimate.lo, estimate.hi].map((each) =>
    printNumber(each / scale.divisor, scale.decimals),
  );
  return `${value} ${scale.symbol}${estimate.lo === estimate.hi ? '' : ` (${ends.join(' to ')})`}`;
}

/** @param estimates the difference first, if there is one */
function scaleOfItem(unit: PriceItem['unit'], estimates: readonly Estimate[]): Scale {
  if (unit === 'bytes') return { symbol: 'B', divisor: 1, decimals: 0 };
  if (unit === 'memory_bytes') return { symbol: 'kB', divisor: 1000, decimals: 1 };
  const scale = scaleFor(
    'us',
    estimates.map(({ center }) => center),
  );
  const [narrowest] = estimates;
  if (narrowest === undefined) return scale;
  return { ...scale, decimals: Math.min(2, estimateDecimals(narrowest, scale.divisor)) };
}

function doubtsOf(items: readonly PriceItem[]): string[] {
  const missing = items.flatMap(({ title, missing }) => (missing === null ? [] : [`${title}: ${missing}`]));
  const shareOf = (id: string) => items.find((item) => item.id === id)?.loadShare;
  const [request, connection] = [shareOf('request'), shareOf('connection')];
  const bodies = items.flatMap(({ id, title, loadShare }) =>
    id.startsWith('body_') && loadShare !== undefined ? [`${title} at ${printShare(loadShare)}`] : [],
  );
  return [
    ...missing,
    ...(request === undefined
      ? []
      : [
          `Requests on open connections were measured at ${printShare(request)} of full load, because other programs took the CPU, or the load generator is slower than the server.`,
        ]),
    ...(bodies.length === 0
      ? []
      : [
          `Below full load, because the load generator reads more slowly than the server sends: ${bodies.join('; ')}.`,
        ]),
    ...(connection === undefined
      ? []
      : [
          `New connections were measured at ${printShare(connection)} of full load, because the load generator of this machine opens them more slowly than the server accepts them. At full load they cost up to a tenth less.`,
        ]),
  ];
}
