import { NativeSelect, TextInput } from '@mantine/core';
import { lazy, useState } from 'react';
import { printNumber } from '../../../shared/base/quantity.ts';
import { decimalsDividing } from '../../../shared/kinds/comparison/shift.ts';
import { type ServersEvent, serversHeadline, visitMs } from '../../../shared/kinds/servers/servers.ts';
import type {
  CellResult,
  Effect,
  FactorName,
  ServersDocument,
} from '../../../shared/kinds/servers/servers-result.ts';
import { malmgrenToday } from '../../../shared/studies/read-sizes.ts';
import { Section } from '../../components/card.tsx';
import { type Column, DataTable, Figure, Legend, LongTable } from '../../components/data-table.tsx';
import { AppLink, served, useAddress } from '../../components/links.tsx';
import { MeasuredServers, MethodSection } from '../../components/method-section.tsx';
import { ChoicePills } from '../../components/pills.tsx';
import { ClaimList } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { factorTitles, printLevel, varying } from '../../format/factor-words.ts';
import { printCount, printInterval, printRatio } from '../../format/printed-figures.ts';
import {
  type LevelMeasure,
  levelMeasures,
  type Measure,
  measureNames,
  namesOf,
  printCenter,
  printRate,
  printShare,
} from './cell-measures.ts';
import { ConcurrencySection, ServersOverlay } from './concurrency-section.tsx';
import { PricesSection } from './prices-section.tsx';
import classes from './servers.module.css';

/** Findings of a sweep over servers, whole or in part. */
export function ServersPage({ document, takeFocus }: { document: ServersDocument; takeFocus: boolean }) {
  const { cells, ranking, roundsDone, request, servers, seed, environment } = document;
  const measured = cells.filter(({ throughput }) => throughput !== null);
  return (
    <>
      <ResultHead
        document={document}
        headline={serversHeadline(document)}
        sentences={ranking}
        counts={`${printCount(measured.length, 'combination')}, ${roundsDone} of ${printCount(request.rounds, 'round')}`}
        takeFocus={takeFocus}
      />
      <ClaimList study="Malmgren 2011" claims={malmgrenToday(document)} />
      <LevelBars document={document} />
      {measured.length === 0 ? null : <ConcurrencySection document={document} />}
      {served ? <PricesSection document={document} /> : null}
      <EffectTable document={document} />
      <CellsSection document={document} />
      <ServersOverlay document={document} />
      <MeasuredServers servers={servers} />
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${printNumber(roundsDone, 0)} of ${printNumber(request.rounds, 0)}. Each starts new servers and measures the combinations in random order`,
          },
          {
            name: 'Per combination',
            value: `${visitMs / 1000} s per round: turns of 100 ms on HTTP, HTTPS, and the control, in random order`,
          },
          { name: 'Seed', value: <code>{seed}</code> },
        ]}
        machine={environment}
        placement={document.placement}
      />
    </>
  );
}

type Row = { key: string; factor: FactorName; from: string; to: string; of: readonly Effect[] };

/** Effect of each level on HTTPS, and on the cost HTTPS adds. */
function EffectTable({ document: { effects } }: { document: Pick<ServersDocument, 'effects'> }) {
  if (effects.length === 0) return null;
  const groups = Map.groupBy(effects, ({ factor, from, to }) => `${factor} ${from} ${to}`);
  const rows = [...groups].flatMap(([key, of]): Row[] => {
    const [first] = of;
    return first === undefined ? [] : [{ key, factor: first.factor, from: first.from, to: first.to, of }];
  });
  return (
    <Section
      id="effects"
      title="What each factor changes"
      lead="Compares combinations that differ only in this factor. Bold figures differ from 1 after Holm’s correction. Intervals are 95 % CIs over the rounds."
      card
    >
      <LongTable
        first={20}
        what="effect"
        narrow="cards"
        caption="Effects of the factors"
        rows={rows}
        keyOf={({ key }) => key}
        of={({ key }) => `servers/effect/${key}`}
        columns={[
          {
            label: 'Factor',
            cell: ({ factor, from, to }) => `${factorTitles[factor]}: ${name(from)} → ${name(to)}`,
          },
          ...effectColumns.map(({ label, metric, view }) => ({
            ...{ label, numeric: true, part: `${metric} ${view}` },
            cell: ({ of }: Row) => cellOf(of, metric, view),
          })),
        ]}
      />
    </Section>
  );
}

const effectColumns = [
  { label: 'Requests/s', metric: 'throughput', view: 'https' },
  { label: 'Server CPU at full load', metric: 'cpu', view: 'https' },
  { label: 'CPU, HTTPS ÷ HTTP', metric: 'cpu', view: 'overhead' },
] as const;

function cellOf(effects: readonly Effect[], metric: Effect['metric'], view: Effect['view']) {
  const effect = effects.find((each) => each.metric === metric && each.view === view);
  if (effect === undefined) return '–';
  const text = `×${printInterval(effect.factorOf, 2)}`;
  return effect.certain ? <strong>{text}</strong> : text;
}

function name(level: string): string {
  if (level === 'true') return 'on';
  if (level === 'false') return 'off';
  return level === 'null' ? 'library’s choice' : level;
}

const orders = {
  plan: { title: 'plan order', of: () => 0 },
  http: {
    title: 'HTTP requests/s, highest first',
    of: ({ throughput }: CellResult) => -(throughput?.http.center ?? 0),
  },
  https: {
    title: 'HTTPS requests/s, highest first',
    of: ({ throughput }: CellResult) => -(throughput?.https.center ?? 0),
  },
  cpu: { title: 'Added CPU, highest first', of: ({ cpu }: CellResult) => -(cpu?.ratio.center ?? 0) },
} as const;
type Order = keyof typeof orders;

const figureColumns: Column<CellResult>[] = [
  {
    ...{ label: 'HTTP, requests/s', part: 'throughput/first', numeric: true },
    cell: (result) => printRate(result, 'http'),
  },
  {
    ...{ label: 'HTTPS, requests/s', part: 'throughput/second', numeric: true },
    cell: (result) => result.failures[0] ?? printRate(result, 'https'),
  },
  {
    ...{ label: 'Change', part: 'throughput/change', numeric: true },
    cell: ({ throughput }) => printRatio(throughput?.ratio),
  },
  {
    ...{ label: 'HTTP, CPU µs', part: 'cpu/first', numeric: true },
    cell: ({ cpu }) => printCenter(cpu?.http, decimalsOf(cpu)),
  },
  {
    ...{ label: 'HTTPS, CPU µs', part: 'cpu/second', numeric: true },
    cell: ({ cpu }) => printCenter(cpu?.https, decimalsOf(cpu)),
  },
  {
    ...{ label: 'CPU change', part: 'cpu/change', numeric: true },
    cell: ({ cpu }) => printRatio(cpu?.ratio),
  },
  {
    ...{ label: 'Errors', part: 'errors', numeric: true },
    cell: ({ errorShare }) => printShare(errorShare),
  },
];

/** Every cell, sorted and filtered. */
function CellsSection({ document: { id, cells } }: { document: Pick<ServersDocument, 'id' | 'cells'> }) {
  const [filter, setFilter] = useState('');
  const [order, setOrder] = useState<Order>('plan');
  const words = filter.toLowerCase().split(/\s+/);
  const found = cells
    .filter(({ cell }) => words.every((word) => cell.id.includes(word)))
    .toSorted((a, b) => orders[order].of(a) - orders[order].of(b));
  const factors = varying(cells.map(({ cell }) => cell));
  const nameOf = namesOf(cells.map(({ cell }) => cell));
  const columns: Column<CellResult>[] = [
    {
      label: 'Combination',
      cell: ({ cell }) => (
        <AppLink id={cell.id} to={`/r/${id}/cells/${cell.id}`} className={classes.cell}>
          {nameOf(cell)}
        </AppLink>
      ),
    },
    ...figureColumns,
  ];
  return (
    <Section
      id="cells"
      title="All combinations"
      lead={`They differ in ${factors.map((factor) => factorTitles[factor].toLowerCase()).join(', ') || 'nothing'}.`}
      card
    >
      <div className="stack wide">
        <TextInput
          label="Filter"
          placeholder="such as nginx rsa2048 c32"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        <NativeSelect
          label="Order"
          value={order}
          onChange={(event) => setOrder(event.currentTarget.value as Order)}
          data={Object.entries(orders).map(([value, { title }]) => ({ value, label: title }))}
        />
        <LongTable
          caption="Combinations of the sweep"
          testId="servers-cells"
          first={30}
          what="combination"
          narrow="scroll"
          rows={found}
          keyOf={({ cell }) => cell.id}
          of={({ cell }) => `servers/${cell.id}`}
          columns={columns}
        />
      </div>
    </Section>
  );
}

const BarChart = lazy(() => import('../../charts/bar-chart.tsx'));

const nothing = 'none';

/** Geometric means by the levels of one factor, or of two, with their intervals over the rounds. */
function LevelBars({ document: { levels } }: { document: Pick<ServersDocument, 'levels'> }) {
  const factors = levels.flatMap(({ factors: [one, ...more] }) =>
    one === undefined || more.length > 0 ? [] : [one],
  );
  const [name, setName] = useAddress<LevelMeasure>('measure', measureNames, 'cpu');
  const [one, setOne] = useAddress<FactorName | typeof nothing>('by', factors, factors[0] ?? nothing);
  const [other, setOther] = useAddress<FactorName | typeof nothing>('and', factors, nothing);
  const partners = factors.filter((factor) => factor !== one && viewOf(levels, [one, factor]) !== undefined);
  const view = (other === one ? undefined : viewOf(levels, [one, other])) ?? viewOf(levels, [one]);
  if (view === undefined) return null;
  return (
    <Section id="levels" title="Results by level" card>
      <div className="stack wide">
        <ChoicePills
          legend="Show"
          legendShown
          name="measure"
          value={name}
          choices={measureNames.map((value) => ({ value, label: levelMeasures[value].label }))}
          onChange={setName}
        />
        {factors.length < 2 ? null : (
          <>
            <ChoicePills
              legend="Factor"
              legendShown
              name="factor"
              value={one}
              choices={choicesOf(factors)}
              onChange={setOne}
            />
            <ChoicePills
              legend="and"
              legendShown
              name="second-factor"
              value={view.factors.length < 2 ? nothing : other}
              choices={[{ value: nothing, label: 'nothing else' }, ...choicesOf(partners)]}
              onChange={setOther}
            />
          </>
        )}
        <LevelFigure view={view} measure={levelMeasures[name]} />
      </div>
    </Section>
  );
}

type LevelView = ServersDocument['levels'][number];

/** The levels by just these factors, in any order. */
function viewOf(levels: readonly LevelView[], by: readonly string[]): LevelView | undefined {
  return levels.find(
    ({ factors }) => factors.length === by.length && factors.every((factor) => by.includes(factor)),
  );
}

function choicesOf(factors: readonly FactorName[]) {
  return factors.map((factor) => ({ value: factor, label: factorTitles[factor] }));
}

function LevelFigure({ view, measure }: { view: LevelView; measure: Measure }) {
  const rows = view.groups.map((group, index) => ({
    index,
    group,
    label: view.factors.map((factor, place) => printLevel(factor, group.levels[place] as never)).join(', '),
  }));
  const series = measure.series(view.groups);
  const caption = `${measure.title} by ${view.factors.map((factor) => factorTitles[factor].toLowerCase()).join(' and ')}: geometric means${view.matched ? ' over combinations that differ in nothing else' : ' over combinations that also differ in other factors'}. Whiskers are 95 % CIs over the rounds.`;
  return (
    <Figure
      height={70 + rows.length * (series.length > 1 ? 40 : 30)}
      caption={caption}
      legend={<Legend items={series} />}
      table={
        <DataTable
          caption={measure.title}
          narrow="cards"
          rows={rows}
          keyOf={({ label }) => label}
          of={({ group }) =>
            `servers/levels/${view.factors.map((factor, place) => `${factor} ${group.levels[place]}`).join(', ')}`
          }
          columns={[
            { label: 'Level', cell: ({ label }) => label },
            {
              label: 'Combinations',
              numeric: true,
              cell: ({ group }) => printCount(group.cells, 'combination'),
            },
            ...series.map(({ label, bars }) => ({
              ...{ label, part: partOf(measure, label), numeric: true },
              cell: ({ index }: (typeof rows)[number]) => measure.printBar(bars[index] ?? null),
            })),
          ]}
        />
      }
    >
      <BarChart
        label={caption}
        categories={rows.map(({ label }) => label)}
        series={series}
        value={{ title: measure.unit, unit: measure.unit, print: measure.print }}
      />
    </Figure>
  );
}

function partOf({ unit, label }: Measure, series: string): string {
  if (unit.startsWith('%')) return 'cpu/change';
  const metric = label === 'Requests/s' ? 'throughput' : 'cpu';
  return `${metric}/${series === 'HTTP' ? 'first' : 'second'}`;
}

/** Decimals at which the sides of a cell give its change. */
function decimalsOf(cpu: CellResult['cpu']): number {
  return cpu === null ? 1 : decimalsDividing(cpu.http.center, [cpu.ratio], 1);
}

type Visit = Extract<ServersEvent, { type: 'visit' }>;

/** The latest visit to each cell, the newest first. */
type LiveVisits = readonly Visit[];

export const noVisits: LiveVisits = [];

export function followVisits(visits: LiveVisits, visit: Visit): LiveVisits {
  return [visit, ...visits.filter(({ cell }) => cell !== visit.cell)];
}

/** The cells as they are visited. */
export function LiveVisitTable({ figures }: { figures: LiveVisits }) {
  if (figures.length === 0) return null;
  return (
    <Section
      id="visits"
      title="Combinations so far"
      lead="The latest round of each. Provisional."
      card="flush"
    >
      <LongTable
        first={12}
        what="combination"
        narrow="cards"
        caption="Requests per second in the latest round"
        rows={figures}
        keyOf={({ cell }) => cell}
        columns={[
          { label: 'Combination', cell: ({ cell }) => cell },
          { label: 'HTTP', numeric: true, cell: ({ httpPerS, failure }) => printLatest(httpPerS, failure) },
          {
            label: 'HTTPS',
            numeric: true,
            cell: ({ httpsPerS, failure }) => printLatest(httpsPerS, failure),
          },
        ]}
      />
    </Section>
  );
}

function printLatest(perS: number | null, failure: string | null): string {
  if (perS !== null) return printNumber(perS, 0);
  return failure === null ? '–' : 'failed';
}

/** A sweep over servers on the page of a measurement. */
export const serversView = {
  page: 'r' as const,
  resumable: true as const,
  subject: ({ cells }: ServersDocument) => `${cells.length} combinations`,
  method: () =>
    'Each round starts new servers and measures every combination once, in random order. HTTP, HTTPS, and the control take short turns.',
  phases: () => [
    { name: 'measuring', title: 'Measuring', text: 'Measure every combination once per round.' },
  ],
  figures: noVisits,
  follow: followVisits,
  Live: LiveVisitTable,
  Finished: ServersPage,
  csvRow: 'combination',
  rawRow: 'side of a combination in one round',
};
