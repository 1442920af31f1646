import { lazy } from 'react';
import { printNumber, printQuantity, type Scale, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, bySide, labelsOf, sideNames } from '../../../shared/base/transport.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import {
  type Percentiles,
  type PhaseName,
  type PhaseTimes,
  phaseNames,
} from '../../../shared/kinds/comparison/slot.ts';
import { Card } from '../../components/card.tsx';
import { DataTable, Figure, PartLegend } from '../../components/data-table.tsx';
import { Fold } from '../../components/term.tsx';
import { axisIn, printCount } from '../../format/printed-figures.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';

/** The phases of a transaction and of its steps as lengths that stand in a row. */
type PhasesView = {
  bars: readonly PhaseBar[];
  /** Steps that the drawing leaves out, the quickest ones. */
  leftOut: number;
  scale: Scale;
};
/** In µs, in the order of `phaseNames`; null for a side without figures. */
type PhaseBar = { name: string; us: BySide<readonly number[] | null> };

const mostSteps = 12;

export function phasesView({ phases, steps }: Pick<ShownRun, 'phases' | 'steps'>): PhasesView | null {
  const whole = phases === null ? [] : [barOf('Transaction', phases)];
  const all = steps.map((step) => barOf(step.name, step));
  const longest = new Set(all.toSorted((a, b) => lengthOf(b) - lengthOf(a)).slice(0, mostSteps));
  const bars = [...whole, ...all.filter((bar) => longest.has(bar))].filter((bar) => lengthOf(bar) > 0);
  if (bars.length === 0) return null;
  return {
    bars,
    leftOut: all.length - longest.size,
    scale: scaleFor('us', bars.map(lengthOf)),
  };
}

/** Without its full stop, of the transaction where it is known, else of the first step. */
export function phasesInWords({ bars: [first] }: PhasesView, labels: BySide<string>): string {
  if (first === undefined) return '';
  const { name, us } = first;
  const lengths = phaseNames.map((phase, index) => {
    const [a = 0, b = 0] = sideNames.map((side) => us[side]?.[index] ?? 0);
    return { phase, a, b };
  });
  const largest = lengths.reduce((most, one) => (one.a + one.b > most.a + most.b ? one : most));
  const widest = lengths.reduce((most, one) => (apart(one) > apart(most) ? one : most));
  const part = `The longest part of ${name === 'Transaction' ? 'a transaction' : `“${name}”`}`;
  if (us.baseline === null || us.comparison === null) return `${part} is ${nouns[largest.phase]}`;
  const both = ({ a, b }: { a: number; b: number }) => {
    const fine = scaleFor('us', [a, b], [Math.abs(b - a)]);
    const print = (value: number) => (value === 0 ? 'none' : printQuantity(value, fine));
    return `${print(a)} with ${labels.baseline}, ${print(b)} with ${labels.comparison}`;
  };
  if (widest === largest)
    return `${part}, and where the sides differ most, is ${nouns[largest.phase]}: ${both(largest)}`;
  return `${part} is ${nouns[largest.phase]}: ${both(largest)}. The sides differ most in ${nouns[widest.phase]}: ${both(widest)}`;
}

const nouns: Record<PhaseName, string> = {
  connectUs: 'connecting',
  tlsUs: 'the TLS handshake',
  ttfbUs: 'waiting for the first byte',
  downloadUs: 'the download',
};

/** Why a phase that the table has is missing from the bars; null when none is. */
export function rarePhases({ phases }: Pick<ShownRun, 'phases'>): string | null {
  const shares = sideNames.flatMap((side) => {
    const { connectUs, ttfbUs } = phases?.[side] ?? {};
    return connectUs && ttfbUs && isRare(connectUs, ttfbUs) ? [connectUs.count / ttfbUs.count] : [];
  });
  if (shares.length === 0) return null;
  const percent = Math.max(...shares) * 100;
  return `At most ${printNumber(percent, percent < 1 ? 1 : 0)} % of the transactions opened a connection, so the bars leave that out.`;
}

function barOf(name: string, sides: BySide<PhaseTimes | null>): PhaseBar {
  return { name, us: bySide((side) => lengthsOf(sides[side])) };
}

/** Typical time per phase: its median if it happens in most transactions, else zero. */
function lengthsOf(times: PhaseTimes | null): readonly number[] | null {
  if (times === null) return null;
  return phaseNames.map((phase) => {
    const [took, always] = [times[phase], times.ttfbUs];
    return took === null || (always !== null && isRare(took, always)) ? 0 : took.p50;
  });
}

function isRare(phase: { count: number }, always: { count: number }): boolean {
  return phase.count * 2 <= always.count;
}

function lengthOf({ us }: PhaseBar): number {
  return Math.max(...sideNames.map((side) => (us[side] ?? []).reduce((sum, value) => sum + value, 0)));
}

function apart({ a, b }: { a: number; b: number }): number {
  return Math.abs(b - a);
}

type TimeRow = { of: string; what: string; baseline: string; comparison: string };

type Times = Partial<PhaseTimes> & { latencyUs?: Percentiles };
type RowsFigure = { what: string; read: (times: Times) => number | undefined };

const figures: readonly RowsFigure[] = [
  { what: 'Connecting, median', read: ({ connectUs }) => connectUs?.p50 },
  { what: 'TLS handshake, median', read: ({ tlsUs }) => tlsUs?.p50 },
  { what: 'Waiting for the first byte, median', read: ({ ttfbUs }) => ttfbUs?.p50 },
  { what: 'Download, median', read: ({ downloadUs }) => downloadUs?.p50 },
  { what: 'Whole, median', read: ({ latencyUs }) => latencyUs?.p50 },
  { what: 'Whole, 90th percentile', read: ({ latencyUs }) => latencyUs?.p90 },
];

/** The transaction first, then each step. A phase that happened on neither side has no row. */
export function timeRows({ phases, steps }: Pick<ShownRun, 'phases' | 'steps'>): TimeRow[] {
  return [
    ...rowsOf('Transaction', phases?.baseline ?? null, phases?.comparison ?? null),
    ...steps.flatMap(({ name, baseline, comparison }) => rowsOf(name, baseline, comparison)),
  ];
}

function rowsOf(of: string, baseline: Times | null, comparison: Times | null): TimeRow[] {
  const present = figures
    .map(({ what, read }) => ({
      what,
      a: baseline === null ? undefined : read(baseline),
      b: comparison === null ? undefined : read(comparison),
    }))
    .filter(({ a, b }) => a !== undefined || b !== undefined);
  const scale = scaleFor(
    'us',
    present.flatMap(({ a, b }) => [a, b]).filter((value) => value !== undefined),
  );
  const print = (value: number | undefined) => (value === undefined ? '–' : printQuantity(value, scale));
  return present.map(({ what, a, b }) => ({ of, what, baseline: print(a), comparison: print(b) }));
}

/** Why there is no handshake in the rows; null when there is, or when it was not recorded. */
export function missingHandshakes({ phases }: Pick<ShownRun, 'phases'>): string | null {
  if (phases === null) return null;
  const opened = [phases.baseline, phases.comparison].some((side) => (side?.connectUs ?? null) !== null);
  return opened ? null : 'Connections were kept alive, so no transaction had to wait for a new one.';
}

export function StepsSection({ document }: { document: ShownRun }) {
  const view = phasesView(document);
  if (view === null) return null;
  const sentences = [
    'Exploratory: these figures carry no interval and no verdict.',
    missingHandshakes(document),
    rarePhases(document),
  ];
  return (
    <Fold id="steps" title="Latency by phase" lead={printCount(document.steps.length, 'step')}>
      <p>{sentences.filter((sentence) => sentence !== null).join(' ')}</p>
      <Card>
        <PhasesFigure document={document} view={view} sides={sidesOf(document.sides)} />
      </Card>
    </Fold>
  );
}

const StackedBarChart = lazy(() => import('../../charts/stacked-bar-chart.tsx'));

type Props = { document: ShownRun; view: PhasesView; sides: Sides };

const looks = {
  connectUs: { label: 'Connecting', fill: 'hatched' },
  tlsUs: { label: 'TLS handshake', fill: 'solid' },
  ttfbUs: { label: 'Waiting for the first byte', fill: 'half' },
  downloadUs: { label: 'Download', fill: 'pale' },
} as const satisfies Record<PhaseName, object>;

const parts = phaseNames.map((phase) => looks[phase]);

function PhasesFigure({ document, view, sides }: Props) {
  const { bars, leftOut, scale } = view;
  const words = phasesInWords(view, labelsOf(document.sides));
  const drawn = leftOut === 0 ? '' : ` The ${leftOut} shortest steps are in the data only.`;
  return (
    <Figure
      height={90 + bars.length * 64}
      caption={`${words}.`}
      marks={`A bar is made of the median of each phase, which may add up to a little less or more than the median of the whole.${drawn}`}
      legend={<PartLegend parts={parts} colors={sideNames.map((side) => sides[side].color)} />}
      table={<TimeTable document={document} sides={sides} />}
    >
      <StackedBarChart
        label={`Stacked bars of the phases. ${words}.`}
        categories={bars.map(({ name }) => name)}
        parts={parts}
        series={sideNames.map((side) => ({ ...sides[side], bars: bars.map(({ us }) => us[side]) }))}
        value={axisIn(scale)}
      />
    </Figure>
  );
}

/** With the 90th percentiles, and with the phases that the bars leave out. */
function TimeTable({ document, sides }: Omit<Props, 'view'>) {
  return (
    <DataTable
      caption="Phases of the transaction and of every step"
      testId="phases"
      rows={timeRows(document)}
      keyOf={({ of, what }) => of + what}
      of={({ of, what }) => `comparison/${of}/${what}`}
      columns={[
        { label: 'Of', cell: ({ of }) => of },
        { label: 'Phase', numeric: false, cell: ({ what }) => what },
        { label: sides.baseline.label, part: 'first', cell: ({ baseline }) => baseline },
        { label: sides.comparison.label, part: 'second', cell: ({ comparison }) => comparison },
      ]}
    />
  );
}
