import { mapEstimate } from '../base/estimate-arithmetic.ts';
import { printNumber, printShare, type Scale } from '../base/quantity.ts';
import type { Estimate } from '../base/units.ts';
import { describePlacement } from '../kinds/comparison/at-load.ts';
import { scaleOf } from '../kinds/comparison/shift.ts';
import { type PriceItem, type PricesDocument, pricesHeadline } from '../kinds/prices/prices.ts';
import { factsOf } from '../target/target-facts.ts';
import { type Finding, figures, leadOf, list, type TablePart, table, texts } from './report.ts';

/** A price list: each item over HTTP, over HTTPS, and the difference. */
export function pricesFinding(document: PricesDocument): Finding {
  const { items, rounds, placement, request, programs } = document;
  const headline = pricesHeadline(document);
  return {
    title: headline?.title ?? `What TLS costs ${factsOf(request.target).name}, item by item`,
    lead: leadOf(headline),
    measured: `${rounds.length} rounds of all cells in random order, ${request.seconds} s.`,
    about: [
      `Prices are CPU of ${programs.length === 0 ? 'the server' : new Intl.ListFormat('en-US').format(programs)}. The interval of each price is that over the rounds.`,
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
        id: 'bytes',
        heading: 'Bytes',
        parts: [
          priceTable(
            items.filter(({ unit }) => unit === 'bytes'),
            'Bytes on the wire, both ways',
          ),
        ],
      },
    ],
    where: [describePlacement(placement)],
  };
}

function priceTable(items: readonly PriceItem[], caption: string): TablePart {
  return table([...texts('Item'), ...figures('HTTP', 'HTTPS', 'Difference')], items.map(rowOf), caption);
}

/** A reader who subtracts the sides gets the difference. */
function rowOf({ title, unit, baseline, comparison, difference }: PriceItem) {
  const scale =
    unit === 'bytes'
      ? inBytes
      : scaleOf({ unit, baseline, comparison, delta: difference, ratio: null, outcome: 'overhead' });
  const print = (estimate: Estimate | null) => {
    if (estimate === null) return null;
    const { center, lo, hi } = mapEstimate(estimate, (value) => value / scale.divisor);
    const [value, ...ends] = [center, lo, hi].map((each) => printNumber(each, scale.decimals));
    return `${value} ${scale.symbol}${lo === hi ? '' : ` (${ends.join(' to ')})`}`;
  };
  return [title, print(baseline), print(comparison), print(difference)];
}

const inBytes: Scale = { symbol: 'B', divisor: 1, decimals: 0 };

function doubtsOf(items: readonly PriceItem[]): string[] {
  const missing = items.flatMap(({ title, missing }) => (missing === null ? [] : [`${title}: ${missing}`]));
  const paced = items.find(({ loadShare }) => loadShare !== undefined);
  if (paced?.loadShare === undefined) return missing;
  return [
    ...missing,
    `New connections were measured at ${printShare(paced.loadShare)} of full load, because the load generator of this machine opens them more slowly than the server accepts them. At full load they cost up to a tenth less.`,
  ];
}
