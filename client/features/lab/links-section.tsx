import {
  intervalDecimals,
  printChange,
  printChangeInterval,
  printNumber,
  printQuantity,
  scaleFor,
} from '../../../shared/base/quantity.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import { type Link, linkInWords } from '../../../shared/kinds/comparison/link.ts';
import { keyOfRow, visitTolerance, whereItPays } from '../../../shared/kinds/visits/visit-judgement.ts';
import type { VisitRow, VisitsDocument } from '../../../shared/kinds/visits/visits.ts';
import { outcomeInWords } from '../../../shared/words/change-words.ts';
import { Section } from '../../components/card.tsx';
import { DataTable, ScrollRegion } from '../../components/data-table.tsx';
import { type Sides, sidesOf } from '../../format/sides.ts';
import classes from './lab.module.css';

type Load = { link: Link; row: VisitRow | undefined };

/** Load of a first visit over each link, as a grid of round trips and losses where the links are one. */
export function LinksSection({ document }: { document: VisitsDocument }) {
  const pays = whereItPays(document);
  if (pays === null) return null;
  const { rows, request } = document;
  const sides = sidesOf(document.sides);
  const loads = request.links.map((link, index) => ({
    link,
    row: rows.find((row) => row.link === index && row.pass === 'cold' && row.time === 'loadUs'),
  }));
  return (
    <Section id="links" title="Load of a first visit by link" lead={pays} card="flush">
      <HeatMap loads={loads} sides={sides} />
      <DataTable
        caption="Load of a first visit over each link"
        rows={loads}
        keyOf={({ link }) => linkInWords(link)}
        of={({ row }) => (row === undefined ? undefined : keyOfRow(row))}
        columns={[
          { label: 'Link', cell: ({ link }) => linkInWords(link) },
          ...sideNames.map((side, index) => ({
            label: sides[side].label,
            part: index === 0 ? 'first' : 'second',
            cell: ({ row }: Load) => printLoad(row?.[side] ?? null),
          })),
          {
            label: 'Change',
            part: 'change',
            cell: ({ row }) =>
              row?.ratio == null ? '–' : printChange(row.ratio.center, intervalDecimals(row.ratio)),
          },
          {
            label: '95 % CI',
            part: 'change',
            cell: ({ row }) => (row?.ratio == null ? '–' : printChangeInterval(row.ratio)),
          },
          {
            label: 'Outcome',
            numeric: false,
            cell: ({ row }) =>
              row === undefined
                ? '–'
                : outcomeInWords(row.outcome, (row.ratio?.center ?? 1) - 1, 'lower', visitTolerance),
          },
        ]}
      />
    </Section>
  );
}

/** Change of the load by loss and round trip; colored where it is certain. Nothing for links that are no grid. */
function HeatMap({ loads, sides }: { loads: readonly Load[]; sides: Sides }) {
  const lossOf = ({ lossPercent = 0 }: Link) => lossPercent;
  const ascending = (values: number[]) => [...new Set(values)].toSorted((a, b) => a - b);
  const trips = ascending(loads.map(({ link }) => link.roundTripMs));
  const losses = ascending(loads.map(({ link }) => lossOf(link)));
  if (trips.length < 2 || losses.length < 2 || trips.length * losses.length !== loads.length) return null;
  const { baseline, comparison } = sides;
  const rowAt = (trip: number, loss: number) =>
    loads.find(({ link }) => link.roundTripMs === trip && lossOf(link) === loss)?.row;
  return (
    <ScrollRegion label="Change by loss and round trip">
      <table className={classes.heat}>
        <caption className="hidden">
          Change of the load from {baseline.label} to {comparison.label}, by loss and round trip
        </caption>
        <thead>
          <tr>
            <th scope="col">Loss</th>
            {trips.map((trip) => (
              <th key={trip} scope="col">
                {printNumber(trip, Number.isInteger(trip) ? 0 : 1)} ms
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {losses.map((loss) => (
            <tr key={loss}>
              <th scope="row">{printNumber(loss, Number.isInteger(loss) ? 0 : 1)} %</th>
              {trips.map((trip) => (
                <HeatCell key={trip} row={rowAt(trip, loss)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** Uncertain changes have no color. */
function HeatCell({ row }: { row: VisitRow | undefined }) {
  if (row?.ratio == null) return <td>–</td>;
  const change = row.ratio.center - 1;
  const share = Math.round(10 + 60 * Math.min(1, Math.abs(change) * 2));
  const tone = change < 0 ? 'var(--less)' : 'var(--note)';
  const style =
    row.outcome === 'overhead'
      ? { background: `color-mix(in srgb, ${tone} ${share}%, var(--surface))` }
      : undefined;
  return <td style={style}>{printChange(row.ratio.center, intervalDecimals(row.ratio))}</td>;
}

function printLoad(estimate: VisitRow['baseline']): string {
  return estimate === null ? '–' : printQuantity(estimate.center, scaleFor('us', [estimate.center]));
}
