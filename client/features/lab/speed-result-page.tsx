import { printChange, printNumber } from '../../../shared/base/quantity.ts';
import {
  primitiveGroups,
  primitiveGroupTitles,
  type SpeedCost,
  type SpeedDocument,
  type SpeedRow,
  speedSizes,
} from '../../../shared/kinds/speed/speed.ts';
import type { MeasuringPhase } from '../../../shared/measurement/measurement.ts';
import { keyTable, printRecord, speedFinding, speedHeadline } from '../../../shared/report/speed-report.ts';
import { leadingPerS, speedSentences } from '../../../shared/studies/speed-then-and-now.ts';
import { Section } from '../../components/card.tsx';
import { type Column, Legend, LongTable } from '../../components/data-table.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { followCells, LiveCellTable, noCells } from '../../components/progress.tsx';
import { ReportTable, Sections } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { printCount } from '../../format/printed-figures.ts';
import { LinesFigure, lookOfLine, mostLines } from './lines-figure.tsx';
import { speedCurves, ThenAndNowFigure } from './then-and-now-figure.tsx';

type Props = { document: SpeedDocument; takeFocus: boolean };

export function SpeedPage({ document, takeFocus }: Props) {
  const { rows, plan, opensslProgram, costs } = document;
  return (
    <>
      <ResultHead
        document={document}
        headline={speedHeadline(rows)}
        sentences={speedSentences(rows)}
        counts={`${printCount(rows.length, 'figure')}, ${plan.rounds} of ${printCount(plan.roundsPlanned, 'round')}`}
        takeFocus={takeFocus}
      />
      {primitiveGroups.map((group) => {
        const own = rows.filter((row) => row.group === group);
        const sized = own.filter(({ bytes }) => bytes !== null);
        const others = own.filter(({ bytes }) => bytes === null);
        if (own.length === 0) return null;
        return (
          <Section
            key={group}
            id={group}
            title={primitiveGroupTitles[group]}
            {...(opensslProgram === null || sized.length === 0
              ? {}
              : {
                  lead: 'By openssl speed; the small figure is the change through Node’s calls, in the same rounds.',
                })}
            card="stack"
          >
            {sized.length === 0 ? null : <SizeFigure rows={sized} title={primitiveGroupTitles[group]} />}
            {sized.length === 0 ? null : <SizeTable rows={sized} costs={costs} />}
            {others.length === 0 ? null : <ReportTable of={keyTable(others)} first={8} />}
            <WhySlower rows={others} />
          </Section>
        );
      })}
      <Sections
        of={speedFinding(document).sections}
        charts={{ 'then-and-now': <ThenAndNowFigure legend="Algorithm" curves={speedCurves(rows)} /> }}
      />
      <MethodSection
        plan={[
          { name: 'Compared with', value: opensslProgram ?? 'no openssl program' },
          {
            name: 'Rounds',
            value: `${plan.rounds} rounds in random order, ${printNumber(plan.sliceMs, 1)} ms of CPU time for each figure, ${printNumber(plan.opensslSliceMs, 1)} ms by openssl`,
          },
          { name: 'Seed', value: <code>{document.seed ?? 'none'}</code> },
        ]}
        machine={document.environment}
      />
    </>
  );
}

/** How the speed grows with the block: a call costs the same however little it is given. */
function SizeFigure({ rows, title }: { rows: readonly SpeedRow[]; title: string }) {
  const all = [...Map.groupBy(rows, ({ primitive }) => primitive)].map(([primitive, own]) => ({
    primitive,
    points: own.flatMap((row) => {
      const { bytes } = leadingPerS(row);
      if (row.bytes === null || bytes === null) return [];
      return [{ x: row.bytes, y: bytes / 1e6, q: `speed/${primitive}/${row.bytes}` }];
    }),
  }));
  const topOf = ({ points }: (typeof all)[number]) => Math.max(...points.map(({ y }) => y));
  const [fastest, ...others] = all.toSorted((a, b) => topOf(b) - topOf(a)).slice(0, mostLines);
  if (fastest === undefined) return null;
  const lines = [fastest, ...others].map(({ primitive, points }, index) => ({
    ...lookOfLine(primitive, index),
    points,
  }));
  return (
    <LinesFigure
      label="Speed by input size"
      caption={`${title}: ${fastest.primitive} is the fastest at ${printNumber(topOf(fastest), 0)} MB/s.`}
      legend={
        <>
          <Legend items={lines} />
          {all.length > lines.length ? <p>The {lines.length} fastest. The table below shows all.</p> : null}
        </>
      }
      lines={lines}
      x="Input size, bytes"
      y="MB/s"
      table={{ caption: 'MB/s by size', head: 'Primitive', unit: 'B' }}
      print={(speed) => printNumber(speed, 1)}
    />
  );
}

type Line = { primitive: string; rows: readonly SpeedRow[]; cost: SpeedCost | undefined };

/** A line a primitive: MB/s of `openssl speed` at every size with the change through Node, and what a call and a byte cost there. */
function SizeTable({ rows, costs }: { rows: readonly SpeedRow[]; costs: readonly SpeedCost[] }) {
  const lines = [...Map.groupBy(rows, ({ primitive }) => primitive)].map(([primitive, own]) => ({
    primitive,
    rows: own,
    cost: costs.find((each) => each.primitive === primitive),
  }));
  return (
    <>
      <LongTable
        caption="MB/s of CPU time, with the change through Node’s calls"
        first={6}
        what="primitive"
        narrow="scroll"
        rows={lines}
        keyOf={({ primitive }) => primitive}
        of={({ primitive }) => `speed/${primitive}`}
        columns={columns}
      />
      <WhySlower rows={rows} />
    </>
  );
}

const columns: [Column<Line>, ...Column<Line>[]] = [
  { label: 'MB/s', cell: ({ primitive }) => primitive },
  ...speedSizes.map((size) => ({
    label: `${printNumber(size, 0)} B`,
    cell: ({ rows }: Line) => {
      const row = rows.find(({ bytes }) => bytes === size);
      return row === undefined ? '–' : printSpeed(row);
    },
  })),
  {
    ...{ label: '16 kB, µs', part: 'record' },
    cell: ({ rows }) => printRecord(rows.find(({ bytes }) => bytes === speedSizes.at(-1))) ?? '–',
  },
  { label: 'Node per call, µs', part: 'call', cell: ({ cost }) => printFitted(cost?.node?.callUs) },
  { label: 'Node per byte, ns', part: 'byte', cell: ({ cost }) => printFitted(cost?.node?.nsPerByte) },
];

/** Nothing where a line through the sizes misses one of them. */
function printFitted(value: number | undefined): string {
  return value === undefined ? '–' : printNumber(Math.max(0, value), 2);
}

function printSpeed(row: SpeedRow) {
  const { bytes } = leadingPerS(row);
  if (bytes === null) return '–';
  const { openssl } = row;
  const millions = bytes / 1e6;
  const change =
    openssl.status === 'measured' && openssl.ratio !== null ? printChange(openssl.ratio.center) : null;
  return (
    <>
      <span data-q={`speed/${row.primitive}/${row.bytes}`}>
        {printNumber(millions, millions < 100 ? 1 : 0)}
      </span>
      {change === null ? null : (
        <small data-q={`speed/${row.primitive}/through Node/${row.bytes}`}> {change}</small>
      )}
    </>
  );
}

/** The reasons for all that is more than 10 % slower than `openssl speed`. */
function WhySlower({ rows }: { rows: readonly SpeedRow[] }) {
  const explained = rows.filter(({ explanation }) => explanation !== null);
  if (explained.length === 0) return null;
  return (
    <details>
      <summary>Why some are slower than openssl speed</summary>
      <ul>
        {explained.map(({ id, primitive, operation, bytes, explanation }) => (
          <li key={id}>
            {primitive} {bytes === null ? operation : `${printNumber(bytes, 0)} B`}: {explanation}
          </li>
        ))}
      </ul>
    </details>
  );
}

export const speedView = {
  page: 'l' as const,
  subject: () => 'the speed of ciphers and keys',
  method: () => 'Every round measures all primitives in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Make keys and try each primitive.' },
      { name: 'measuring', title: 'Measuring', text: 'Measure each primitive in every round.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: noCells,
  follow: followCells,
  Live: LiveCellTable,
  Finished: SpeedPage,
  csvRow: 'figure',
};
