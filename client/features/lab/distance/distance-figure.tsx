import { lazy } from 'react';
import { connectionTitles, type DistanceDocument, type DistanceRow } from '../../../../shared/distance.ts';
import { linkInShort } from '../../../../shared/link.ts';
import { printMs, printNumber } from '../../../../shared/quantity.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Legend } from '../../../components/legend.tsx';
import { lookOfLine } from '../line-look.ts';

const XyChart = lazy(() => import('../../../charts/xy-chart.tsx'));

type Props = Pick<DistanceDocument, 'links' | 'rows'>;

/** Time over round trip: the steeper a line, the more round trips its connection takes. */
export function DistanceFigure({ links, rows }: Props) {
  const order = [...links.entries()].sort(([, one], [, other]) => one.roundTripMs - other.roundTripMs);
  const looks = rows.map(({ connection }, index) => lookOfLine(connectionTitles[connection], index));
  const longest = Math.max(0, ...links.map(({ roundTripMs }) => roundTripMs));
  const medianAt = (row: DistanceRow, place: number) => row.places[place]?.ms?.center ?? Number.NaN;
  const caption = 'Time to the first byte of a new connection by round trip.';
  return (
    <Figure
      caption={caption}
      marks="Lines with the same number of round trips lie on each other."
      legend={<Legend items={looks} />}
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
              numeric: true,
              cell: ([index]: (typeof order)[number]) => {
                const ms = medianAt(row, index);
                return Number.isNaN(ms) ? '–' : printMs(ms);
              },
            })),
          ]}
        />
      }
    >
      <XyChart
        label={caption}
        series={rows.map((row, place) => ({
          ...(looks[place] as (typeof looks)[number]),
          line: true,
          markerSize: 4,
          points: [
            { x: 0, y: row.here.ms?.center ?? Number.NaN },
            ...order.map(([index, { roundTripMs }]) => ({ x: roundTripMs, y: medianAt(row, index) })),
          ],
        }))}
        x={{
          title: 'Round trip, ms',
          print: (ms: number) => printNumber(ms, ms < 1 && ms > 0 ? 1 : 0),
          fromZero: true,
          max: 1.04 * longest,
        }}
        y={{ title: 'ms', fromZero: true, print: (ms: number) => printNumber(ms, 0) }}
      />
    </Figure>
  );
}
