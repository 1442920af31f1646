import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  certificatesInWords,
  groupInWords,
  type HandshakesDocument,
  handshakesHeadline,
  type MeasuredCell,
  measuredOf,
  nameCell,
  sentencesOf,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import {
  decimalsOfCells,
  handshakesFinding,
  printVersion,
  quantityOf,
} from '../../../shared/report/handshakes-report.ts';
import { keyOfPart } from '../../../shared/report/report.ts';
import { Section } from '../../components/card.tsx';
import { type Column, LongTable, ScrollRegion } from '../../components/data-table.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { followCells, LiveCellTable, noCells } from '../../components/progress.tsx';
import { Sections } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { printCount, printRatio } from '../../format/printed-figures.ts';
import { BarsByCell } from './bars-by-cell.tsx';
import classes from './lab.module.css';
import { LinesFigure, lookOfLine, mostLines } from './lines-figure.tsx';
import { gridCurves, ThenAndNowFigure } from './then-and-now-figure.tsx';

type Props = { document: HandshakesDocument; takeFocus: boolean };

export function HandshakesPage({ document, takeFocus }: Props) {
  const { plan, cells } = document;
  const measured = measuredOf(cells);
  return (
    <>
      <ResultHead
        document={document}
        headline={handshakesHeadline(document)}
        sentences={sentencesOf(document)}
        counts={`${printCount(measured.length, 'combination')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      {measured.length === 0 ? null : (
        <>
          <BarsByCell cells={measured} />
          <HeatTable cells={measured} />
          <BytesFigure cells={measured} />
          <CellTable document={document} cells={measured} />
        </>
      )}
      <Sections
        of={handshakesFinding(document).sections}
        charts={{
          'then-and-now': <ThenAndNowFigure legend="Suite and key of 1997" curves={gridCurves(cells)} />,
        }}
      />
      <MethodSection
        plan={[
          {
            name: 'Reference',
            value: <code>{document.baseline?.cell.id ?? 'not measured'}</code>,
          },
          {
            name: 'Rounds',
            value: `${plan.rounds} in random order; per combination, ${plan.warmUps} warm-ups and up to ${printNumber(plan.connectionsPlanned, 0)} connections`,
          },
          { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
        ]}
        machine={document.environment}
      />
    </>
  );
}

function BytesFigure({ cells }: { cells: readonly MeasuredCell[] }) {
  const { lines, caption, leftOut } = bytesLines(cells, mostLines);
  if (lines.length === 0) return null;
  return (
    <Section id="bytes" title="CPU by payload" lead={leftOut} card>
      <LinesFigure
        label="CPU by bytes each way"
        caption={caption}
        lines={lines.map(({ label, points }, index) => ({ ...lookOfLine(label, index), points }))}
        x="Bytes each way"
        y="µs of CPU, both ends"
        table={{
          caption: 'CPU of a full connection in µs, by bytes each way',
          head: 'Connection',
          unit: 'B',
        }}
        print={(us) => printNumber(us, 0)}
      />
    </Section>
  );
}

/** Full handshakes that were measured with three payloads or more, as lines of CPU over bytes, the dearest first. */
export function bytesLines(cells: readonly MeasuredCell[], most: number) {
  const full = cells.filter(({ cell }) => cell.resumption === 'full');
  const series = Map.groupBy(
    full,
    ({ cell }) => `${printVersion(cell.version)} ${cell.cipher}, ${certificatesInWords(cell)}`,
  );
  const all = [...series]
    .map(([label, own]) => ({
      label,
      points: own
        .map((one) => ({
          ...{ x: one.cell.bytes, y: one.cpuUs.median },
          q: keyOfPart(quantityOf(one), 'second'),
        }))
        .toSorted((a, b) => a.x - b.x),
    }))
    // More than one group of a suite would make a line go up and down.
    .filter(({ points }) => points.length >= 3 && new Set(points.map(({ x }) => x)).size === points.length)
    .toSorted((a, b) => lastOf(b) - lastOf(a));
  const lines = all.slice(0, most);
  const dearest = lines[0];
  const slope = dearest === undefined ? 0 : slopeOf(dearest.points);
  return {
    lines,
    caption:
      dearest === undefined
        ? ''
        : `With ${dearest.label}, each kB sent both ways adds ${printNumber(slope * 1000, 1)} µs to both ends, including the cost of the stream.`,
    leftOut: all.length > lines.length ? `The ${lines.length} most expensive of ${all.length}.` : null,
  };
}

function lastOf({ points }: { points: readonly { y: number }[] }): number {
  return points.at(-1)?.y ?? 0;
}

/** Between the smallest and the largest payload, in microseconds a byte. */
function slopeOf(points: readonly { x: number; y: number }[]): number {
  const [first, last] = [points[0], points.at(-1)];
  return first === undefined || last === undefined || last.x === first.x
    ? 0
    : (last.y - first.y) / (last.x - first.x);
}

type TableProps = { document: HandshakesDocument; cells: readonly MeasuredCell[] };

/** Every cell with every figure; what all of them share stands once, above. */
function CellTable({ document, cells }: TableProps) {
  const { baseline } = document;
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const found = cells.filter(({ cell }) => words.every((word) => cell.id.toLowerCase().includes(word)));
  const { shared, columns } = columnsOf(cells, decimalsOfCells(document));
  const sharedFacts = shared.length === 0 ? [] : [`${shared.join('; ')}.`];
  const ratios =
    baseline === null
      ? []
      : [`Changes are against ${nameCell(baseline.cell)}, full, paired within each round, with 95 % CI.`];
  return (
    <Section id="cells" title="All combinations" lead={[...sharedFacts, ...ratios].join(' ')} card="stack">
      {cells.length <= 12 ? null : (
        <TextInput
          label="Filter"
          placeholder="such as ML-DSA resumed"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <LongTable
        caption="Combinations of the grid"
        testId="handshake-cells"
        first={30}
        what="combination"
        rows={found}
        keyOf={({ cell }) => cell.id}
        of={quantityOf}
        columns={columns}
      />
    </Section>
  );
}

const first: Column<MeasuredCell> = {
  label: 'Key, key agreement',
  cell: ({ cell }) => `${certificatesInWords(cell)}, ${groupInWords(cell) ?? 'RSA encryption'}`,
};

/** Left out where all cells have the same. */
const axes: Column<MeasuredCell>[] = [
  {
    label: 'Protocol and suite',
    numeric: false,
    cell: ({ cell }) => `${printVersion(cell.version)} ${cell.cipher}`,
  },
  { label: 'Handshake', numeric: false, cell: ({ cell }) => cell.resumption },
  { label: 'Bytes', cell: ({ cell }) => printNumber(cell.bytes, 0) },
];

const figures: Column<MeasuredCell>[] = [
  { label: 'p5 to p95', cell: ({ cpuUs }) => `${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)}` },
  { label: 'User, µs', part: 'user', cell: ({ userUs }) => printNumber(userUs.median, 0) },
  { label: 'Per s', part: 'connections', cell: ({ connectionsPerS }) => printNumber(connectionsPerS, 0) },
  { label: 'Change', part: 'change', cell: ({ ratio }) => printRatio(ratio) },
  {
    label: 'Bytes up, down',
    cell: ({ wire: { handshakeBytes } }) =>
      `${printNumber(handshakeBytes.clientToServer, 0)}, ${printNumber(handshakeBytes.serverToClient, 0)}`,
  },
  {
    label: 'With tickets',
    cell: ({ wire: { withTicketsBytes } }) => printNumber(withTicketsBytes.serverToClient, 0),
  },
  { label: 'Flights', cell: ({ wire }) => `${wire.flights}${wire.helloRetry ? ', retry' : ''}` },
];

function columnsOf(
  cells: readonly MeasuredCell[],
  decimals: number,
): {
  shared: string[];
  columns: [Column<MeasuredCell>, ...Column<MeasuredCell>[]];
} {
  const valuesOf = ({ cell }: Column<MeasuredCell>) => new Set(cells.map((each) => String(cell(each))));
  const same = axes.filter((axis) => valuesOf(axis).size === 1);
  return {
    shared: same.map((axis) => `${axis.label}: ${[...valuesOf(axis)].join()}`),
    columns: [
      first,
      ...axes.filter((axis) => !same.includes(axis)),
      { label: 'CPU, µs', part: 'second', cell: ({ cpuUs }) => printNumber(cpuUs.median, decimals) },
      ...figures,
    ],
  };
}

/** Key by key agreement, full handshakes: the darker, the dearer. */
function HeatTable({ cells }: { cells: readonly MeasuredCell[] }) {
  const heat = heatOf(cells);
  if (heat === null) return null;
  return (
    <Section
      id="heat"
      title="Key by key agreement"
      lead={`Median CPU of a full handshake in µs, ${heat.of}. Darker is more expensive.`}
      card="flush"
    >
      <ScrollRegion label="Key by key agreement">
        <table className={classes.heat}>
          <caption className="hidden">Median CPU of a full handshake, µs</caption>
          <thead>
            <tr>
              <th scope="col">Key</th>
              {heat.groups.map((group) => (
                <th key={group} scope="col">
                  {group}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {heat.rows.map(({ key, values }) => (
              <tr key={key}>
                <th scope="row">{key}</th>
                {values.map(({ group, q, us, share }) => (
                  <td
                    key={group}
                    data-q={q}
                    style={
                      us === null
                        ? undefined
                        : {
                            background: `color-mix(in srgb, var(--second) ${Math.round(6 + share * 44)}%, var(--surface))`,
                          }
                    }
                  >
                    {us === null ? '–' : printNumber(us, 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </Section>
  );
}

/** Null where there are not two keys and two groups to set against each other. */
function heatOf(cells: readonly MeasuredCell[]) {
  const full = cells.filter(
    ({ cell }) => cell.resumption === 'full' && cell.group !== null && cell.guess === undefined,
  );
  const [first] = full;
  if (first === undefined) return null;
  const { version, cipher, bytes } = mostPopulated(full).cell;
  const shown = full.filter(
    ({ cell }) => cell.version === version && cell.cipher === cipher && cell.bytes === bytes,
  );
  const groups = [...new Set(shown.map(({ cell }) => cell.group ?? ''))];
  const keys = [...new Set(shown.map(({ cell }) => certificatesInWords(cell)))];
  if (groups.length < 2 || keys.length < 2) return null;
  const costs = shown.map(({ cpuUs }) => Math.log(cpuUs.median));
  const [least, most] = [Math.min(...costs), Math.max(...costs)];
  return {
    of: `${printVersion(version)}, ${cipher}, ${bytes} B each way`,
    groups,
    rows: keys.map((key) => ({
      key,
      values: groups.map((group) => {
        const found = shown.find(({ cell }) => certificatesInWords(cell) === key && cell.group === group);
        const us = found?.cpuUs.median ?? null;
        return {
          ...{ group, us },
          q: found && keyOfPart(quantityOf(found), 'second'),
          /** 0 for the cheapest and 1 for the dearest, by logarithm. */
          share: us === null || most === least ? 0 : (Math.log(us) - least) / (most - least),
        };
      }),
    })),
  };
}

/** One cell of the protocol, suite and payload that has the most cells. */
function mostPopulated(cells: readonly MeasuredCell[]): MeasuredCell {
  const sliceOf = ({ cell }: MeasuredCell) => `${cell.version} ${cell.cipher} ${cell.bytes}`;
  const sizes = Map.groupBy(cells, sliceOf);
  const [largest] = [...sizes.values()].toSorted((a, b) => b.length - a.length);
  const [one] = largest ?? cells;
  if (one === undefined) throw new Error('a heat table is made of at least one cell');
  return one;
}

export const handshakesView = {
  page: 'l' as const,
  subject: () => 'handshakes',
  method: () => 'Each round measures all combinations in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Make keys and certificates.' },
      {
        name: 'warm-up',
        title: 'Warm-up',
        text: 'Connect with each combination. These connections do not count.',
      },
      { name: 'measuring', title: 'Measuring', text: 'Measure both ends in one process.' },
      { name: 'ends apart', title: 'Separate ends', text: 'Measure each end in its own process.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: HandshakesPage,
  csvRow: 'combination',
};
