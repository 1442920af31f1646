import { msDecimals, printNumber } from '../base/quantity.ts';
import { describeLink, linkInShort } from '../kinds/comparison/link.ts';
import {
  connectionTitles,
  type DistanceDocument,
  type DistancePlace,
  type DistanceRow,
  distanceHeadline,
  distanceSentences,
  printMsEstimate,
  printTrips,
} from '../kinds/distance/distance.ts';
import {
  type Finding,
  facts,
  figures,
  leadOf,
  list,
  quantities,
  type TablePart,
  table,
  text,
  texts,
} from './report.ts';

/** Shorter than this, a round trip is less than what the machine itself takes. */
const shortestMs = 2;

/** The distances: a row for each connection, with its time and its round trips on each link. */
export function distanceFinding(document: DistanceDocument): Finding {
  const { plan, links, rows } = document;
  const headline = distanceHeadline(document);
  const measured = plan.rounds === 0 ? [] : rows.filter(({ reason }) => reason === null);
  const far = [...links.entries()].filter(([, { roundTripMs }]) => roundTripMs >= shortestMs);
  const of = measured.map(({ connection }) => `distance/${connection}`);
  const perConnection = (cellsOf: (row: DistanceRow) => (string | null)[]) =>
    measured.map((row) => [connectionTitles[row.connection], ...cellsOf(row)]);
  return {
    title: headline?.title ?? 'What a new connection costs at a distance',
    lead: [...leadOf(headline), text(...distanceSentences(document))],
    measured: `${plan.rounds} of ${plan.roundsPlanned} rounds of ${plan.connections} connections in random order.`,
    about: [
      'Times are medians of the rounds.',
      'Measured round trips are the increase in time per round trip of the links.',
    ],
    sections: [
      {
        id: 'time',
        heading: 'Time to the first byte',
        parts: [
          table(
            [
              ...texts('Connection'),
              ...quantities(
                ['No link', 'second'],
                ...links.map((link, index) => [linkInShort(link), `link-${index}/second`] as const),
              ),
            ],
            perConnection(({ here, places }) =>
              [here, ...places].map(({ ms }) => (ms === null ? null : printMsEstimate(ms))),
            ),
            'From the beginning of a connection to the first byte, ms with 95 % CI',
            of,
          ),
          overTcpTable(document, measured),
        ],
      },
      {
        id: 'round-trips',
        heading: 'Round trips',
        lead: 'Expected from the messages of the handshake, and measured.',
        parts: [
          table(
            [
              ...texts('Connection'),
              ...figures('Expected', 'Measured, all links', ...far.map(([, link]) => linkInShort(link))),
            ],
            perConnection(({ expected, slope, places }) => [
              expected === null ? null : String(expected),
              ...[slope, ...far.map(([index]) => places[index]?.roundTrips ?? null)].map((trips) =>
                trips === null ? null : printTrips(trips),
              ),
            ]),
            'Round trips to the first byte, with 95 % CI',
          ),
        ],
      },
      {
        id: 'not-measured',
        heading: 'Not measured',
        parts: [
          facts(
            rows.flatMap(({ connection, reason }) =>
              reason === null ? [] : [[connectionTitles[connection], reason] as const],
            ),
          ),
        ],
      },
      { heading: 'Links', parts: [list(links.map(describeLink))] },
    ],
  };
}

/** The time that each connection takes more than one without TLS: the median over the rounds, with the digits of the times. */
function overTcpTable({ rows, links }: DistanceDocument, measured: readonly DistanceRow[]): TablePart {
  const tcp = rows.find(({ connection }) => connection === 'tcp');
  const others = measured.filter(({ connection }) => connection !== 'tcp');
  return table(
    [
      ...texts('Connection'),
      ...quantities(
        ['No link', 'difference'],
        ...links.map((link, index) => [linkInShort(link), `link-${index}/difference`] as const),
      ),
    ],
    others.map(({ connection, here, places }) => [
      connectionTitles[connection],
      printOver(here, tcp?.here),
      ...places.map((place, index) => printOver(place, tcp?.places[index])),
    ]),
    'More than TCP without TLS, ms with 95 % CI',
    others.map(({ connection }) => `distance/${connection}`),
  );
}

function printOver({ ms, overTcpMs }: DistancePlace, tcp: DistancePlace | undefined): string | null {
  if (ms === null || overTcpMs === null || tcp == null || tcp.ms === null) return null;
  const decimals = Math.min(...[ms, tcp.ms].map(({ center }) => msDecimals(center)));
  const shown = (value: number) => Number(value.toFixed(msDecimals(value)));
  const [center, lo, hi] = [shown(ms.center) - shown(tcp.ms.center), overTcpMs.lo, overTcpMs.hi].map(
    (value) => printNumber(value, decimals),
  );
  return `${center} (${lo} to ${hi})`;
}
