import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { runEndpoints } from '../../../shared/api/session-endpoints.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type PredictedRun,
  type Predictions,
  predictionsInWords,
  trafficInWords,
} from '../../../shared/kinds/prices/predictions.ts';
import { type PricesDocument, pricesHeadline } from '../../../shared/kinds/prices/prices.ts';
import {
  leftOutInWords,
  predictionColumns,
  predictionsCaption,
  pricesFinding,
} from '../../../shared/report/prices-report.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { mayCall } from '../../api/identity.ts';
import { predictionsQuery } from '../../api/result-queries.ts';
import { Section } from '../../components/card.tsx';
import { Legend, LongTable, XyFigure } from '../../components/data-table.tsx';
import { served } from '../../components/links.tsx';
import { MethodSection } from '../../components/method-section.tsx';
import { Sections } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import { SeriesFold } from '../../components/series.tsx';
import { printCount, printWhen } from '../../format/printed-figures.ts';
import { sidesOf } from '../../format/sides.ts';
import { TrafficBillSection } from './traffic-bill.tsx';

type Props = { document: PricesDocument; takeFocus: boolean };

function PricesPage({ document, takeFocus }: Props) {
  const { rounds, request, seed, environment } = document;
  return (
    <>
      <ResultHead
        document={document}
        headline={pricesHeadline(document)}
        sentences={[]}
        counts={printCount(rounds.length, 'round')}
        takeFocus={takeFocus}
      />
      <Sections of={pricesFinding(document).sections} />
      {served ? <TrafficBillSection list={document.id} /> : null}
      {served ? <PredictionsSection document={document} /> : null}
      {served && document.state === 'finished' ? <SeriesOfLists document={document} /> : null}
      <MethodSection
        plan={[
          {
            name: 'Rounds',
            value: `${rounds.length}, each with all combinations in random order, ${request.seconds} s`,
          },
          { name: 'Seed', value: <code>{seed}</code> },
        ]}
        machine={environment}
      />
    </>
  );
}

/** Lists of the same server. */
function SeriesOfLists({ document: { id, items } }: Pick<Props, 'document'>) {
  const [item, choose] = useState('request');
  return (
    <SeriesFold
      id={id}
      choices={items
        .filter(({ unit, difference }) => unit !== 'bytes' && difference !== null)
        .map((each) => ({ value: each.id, label: each.title }))}
      metric={item}
      onMetric={choose}
      isTime={(metric) => items.find((each) => each.id === metric)?.unit === 'us'}
      unit="us"
      look={looks.comparison}
    />
  );
}

const looks = sidesOf({ baseline: { transport: 'http' }, comparison: { transport: 'https' } });

export const pricesView = {
  page: 'l' as const,
  subject: ({ request }: PricesDocument) => `the prices of ${factsOf(request.target).name}`,
  method: () => 'Each round takes one turn on every combination, in random order.',
  phases: ({ request }: PricesDocument) => [
    { name: 'preparing', title: 'Preparing', text: 'Start the server, and warm it up.' },
    { name: 'measuring', title: 'Measuring', text: 'Measure each item over HTTP and HTTPS.' },
    ...(request.columns !== null
      ? [
          {
            name: 'columns',
            title: 'Connections',
            text: 'Price new connections by key, key agreement, or TLS version.',
          },
        ]
      : []),
    ...(request.memory
      ? [{ name: 'memory', title: 'Memory', text: 'Open idle connections, and read the server’s memory.' }]
      : []),
  ],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: PricesPage,
  csvRow: 'item',
};

/** Later runs of the server of a list; nothing before the first one. */
function PredictionsSection({ document }: { document: PricesDocument }) {
  const { data } = useQuery({
    ...predictionsQuery(document.id),
    enabled: mayCall(runEndpoints.showPredictions),
  });
  if (data === undefined || data.runs.length + data.leftOut.length + data.others === 0) return null;
  const [finding, ...more] = predictionsInWords(data);
  return (
    <Section id="predictions" title="Predicted and measured" card="stack">
      {data.runs.length === 0 ? (
        <p>{finding ?? 'The list predicts none of the later runs.'}</p>
      ) : (
        <>
          <PredictionsFigure of={data} caption={finding ?? ''} />
          {more.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </>
      )}
      <ul>
        {leftOutInWords(data).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}

const scaled = { label: 'Scaled to the run', color: '#8A63B5', dashed: false, marker: 'circle' as const };
const listed = { label: 'By the list', color: '#009E73', dashed: false, marker: 'diamond' as const };

/** One digit. */
function roundTo(value: number, whole: (value: number) => number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return whole(value / unit) * unit;
}

function PredictionsFigure({ of: { runs }, caption }: { of: Predictions; caption: string }) {
  const point = (predicted: 'listed' | 'scaled') => (run: PredictedRun) => ({
    x: run[predicted].difference.center,
    y: run.measured.difference.center,
  });
  const ends = runs.flatMap(({ listed, scaled, measured }) => [
    ...[listed, scaled].map(({ difference }) => difference.center),
    ...[measured.difference.center, measured.difference.lo, measured.difference.hi],
  ]);
  const [lo, hi] = [Math.min(...ends), Math.max(...ends)];
  // Handshakes and requests on open connections are decades apart.
  const log = lo > 0 && hi > 10 * lo;
  const [from, to] = log
    ? [roundTo(lo, Math.floor), roundTo(hi, Math.ceil)]
    : [Math.min(0, lo), hi + 0.05 * (hi - Math.min(0, lo))];
  const axis = { log, min: from, max: to, print: (us: number) => printNumber(us, us < 10 ? 1 : 0) };
  return (
    <XyFigure
      label={`Predicted and measured difference of later runs. ${caption}`}
      caption={caption}
      marks="Whiskers are 95 % CIs of what was measured. On the dashed line, both are equal."
      legend={<Legend items={[scaled, listed]} />}
      table={<PredictionsTable runs={runs} />}
      series={[
        { ...scaled, line: false, points: runs.map(point('scaled')) },
        { ...listed, line: false, quiet: true, points: runs.map(point('listed')) },
        {
          ...{ ...scaled, label: '95 % CI', thin: true, markerSize: 0 },
          points: runs.flatMap(({ scaled: { difference: at }, measured: { difference } }) => [
            { x: at.center, y: difference.lo },
            { x: at.center, y: difference.hi },
            { x: at.center, y: Number.NaN },
          ]),
        },
        {
          ...{ ...scaled, label: 'Equal', color: '#80868e', dashed: true, markerSize: 0 },
          points: [
            { x: from, y: from },
            { x: to, y: to },
          ],
        },
      ]}
      x={{ ...axis, title: 'Predicted difference, µs per request' }}
      y={{ ...axis, title: 'Measured difference, µs per request', unit: 'µs' }}
    />
  );
}

function PredictionsTable({ runs }: { runs: readonly PredictedRun[] }) {
  return (
    <LongTable
      caption={predictionsCaption}
      first={20}
      what="run"
      narrow="scroll"
      rows={runs.toReversed()}
      keyOf={({ id }) => id}
      of={({ id }) => `prices/predictions/${id}`}
      columns={[
        { label: 'Traffic', cell: (run) => <Link to={run.url}>{trafficInWords(run)}</Link> },
        { label: 'Run of', numeric: false, cell: ({ createdAt }) => printWhen(createdAt) },
        ...predictionColumns.map(({ title, part, print }) => ({
          ...{ label: title, part, numeric: true, cell: print },
        })),
      ]}
    />
  );
}
