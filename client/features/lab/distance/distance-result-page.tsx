import { printMs, printMsNumber, printNumber } from '../../../../shared/base/quantity.ts';
import {
  addedInWords,
  carriedInWords,
  linkInShort,
  linkInWords,
} from '../../../../shared/kinds/comparison/link.ts';
import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import {
  type ConnectionName,
  connectionTitles,
  type DistanceDocument,
  type DistanceRow,
  distanceHeadline,
  distanceSentences,
} from '../../../../shared/kinds/distance/distance.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/measurement.ts';
import { distanceFinding } from '../../../../shared/report/distance-report.ts';
import type { Fact } from '../../../components/card.tsx';
import { DataTable, XyFigure } from '../../../components/data-table.tsx';
import { MethodSection } from '../../../components/method-section.tsx';
import { Sections } from '../../../components/report-sections.tsx';
import { ResultHead } from '../../../components/result-head.tsx';
import { printCount } from '../../../format/printed-figures.ts';
import { lookOfLine } from '../lines-figure.tsx';

type Props = { document: DistanceDocument; takeFocus: boolean };

export function DistancePage({ document, takeFocus }: Props) {
  const { rows, links, plan, environment } = document;
  const measured = rows.filter(({ reason }) => reason === null);
  return (
    <>
      <ResultHead
        document={document}
        headline={distanceHeadline(document)}
        sentences={distanceSentences(document)}
        counts={`${printCount(links.length, 'link')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      <Sections
        of={distanceFinding(document).sections}
        charts={{ time: <DistanceFigure links={links} rows={measured} /> }}
      />
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${plan.rounds} rounds in random order, ${printCount(plan.connections, 'connection')} each time`,
          },
          ...pathFacts(links),
          ...links.map((link) => ({
            name: `Added by the link, ${linkInWords(link)}`,
            value: link.added === null ? 'not measured' : addedInWords(link.added),
          })),
          { name: 'Seed', value: <code>{document.seed}</code> },
        ]}
        machine={environment}
      />
    </>
  );
}

/** One where all links were carried alike. */
function pathFacts(links: DistanceDocument['links']): Fact[] {
  const facts = links.flatMap((link) =>
    link.by === undefined ? [] : [{ name: `Path, ${linkInWords(link)}`, value: carriedInWords(link.by) }],
  );
  const [first] = facts;
  const isOne = first !== undefined && facts.every(({ value }) => value === first.value);
  return isOne ? [{ name: 'Path', value: first.value }] : facts;
}

type FigureProps = Pick<DistanceDocument, 'links' | 'rows'>;

/** Time over round trip: the steeper a line, the more round trips its connection takes. */
function DistanceFigure({ links, rows }: FigureProps) {
  const order = [...links.entries()].sort(([, one], [, other]) => one.roundTripMs - other.roundTripMs);
  const medianAt = (row: DistanceRow, place: number) => row.places[place]?.ms?.center ?? Number.NaN;
  const caption = slopesInWords(rows);
  return (
    <XyFigure
      caption={caption}
      marks="Time to the first byte. Lines with the same number of round trips coincide."
      table={
        <DataTable
          caption="Median time to the first byte"
          narrow="scroll"
          rows={order}
          keyOf={([index]) => index}
          columns={[
            { label: 'Link', cell: ([, link]) => linkInShort(link) },
            ...rows.map((row) => ({
              label: connectionTitles[row.connection],
              cell: ([index]: (typeof order)[number]) => {
                const ms = medianAt(row, index);
                const q = `distance/${row.connection}/link-${index}/second`;
                return Number.isNaN(ms) ? '–' : <span data-q={q}>{printMs(ms)}</span>;
              },
            })),
          ]}
        />
      }
      label={caption}
      series={rows.map((row, place) => ({
        ...lookOfLine(connectionTitles[row.connection], place),
        points: [
          { x: 0, y: row.here.ms?.center ?? Number.NaN },
          ...order.map(([index, { roundTripMs }]) => ({ x: roundTripMs, y: medianAt(row, index) })),
        ],
      }))}
      x={{
        title: 'Round trip, ms',
        print: (ms: number) => printNumber(ms, ms < 1 && ms > 0 ? 1 : 0),
        fromZero: true,
      }}
      y={{
        title: 'ms',
        unit: 'ms',
        fromZero: true,
        print: (ms: number) => printNumber(ms, 0),
        printPoint: printMsNumber,
      }}
    />
  );
}

const told: Partial<Record<ConnectionName, string>> = {
  tcp: 'without TLS',
  tls13: 'with TLS 1.3',
  tls12: 'with TLS 1.2',
};

/** "Each millisecond of round trip adds 1.99 ms without TLS, 3.01 ms with TLS 1.3, and 4.01 ms with TLS 1.2." */
function slopesInWords(rows: readonly DistanceRow[]): string {
  const steep = rows.flatMap(({ connection, slope }) => {
    const words = told[connection];
    return slope === null || words === undefined ? [] : [`${printNumber(slope.center, 2)} ms ${words}`];
  });
  if (steep.length === 0) return 'Time to the first byte of a new connection.';
  return `Each millisecond of round trip adds ${new Intl.ListFormat('en').format(steep)}.`;
}

export const distanceView = {
  page: 'l' as const,
  subject: ({ request }: DistanceDocument) =>
    `new connections over ${request.links.map(linkWord).join(', ')}`,
  method: () => 'Every round opens each kind of connection over each link in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Start the servers, the client, and the links.' },
      { name: 'measuring', title: 'Measuring', text: 'Time new connections up to the first byte.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: DistancePage,
  csvRow: 'kind of connection on a link',
};
