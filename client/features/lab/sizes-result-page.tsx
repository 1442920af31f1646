import { printChangeInterval, printNumber } from '../../../shared/base/quantity.ts';
import type { Estimate } from '../../../shared/base/units.ts';
import type { SizesPhase } from '../../../shared/kinds/sizes/size-progress.ts';
import { describeLoad, sizesHeadline, unsaturated } from '../../../shared/kinds/sizes/size-words.ts';
import { chosenLine, type SizesDocument, sizeSentences } from '../../../shared/kinds/sizes/sizes.ts';
import { webperfToday } from '../../../shared/studies/read-sizes.ts';
import { Facts, Section } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { MeasuredServers, MethodSection } from '../../components/method-section.tsx';
import { ClaimList } from '../../components/report-sections.tsx';
import { ResultHead } from '../../components/result-head.tsx';
import {
  percentOf,
  printBytes,
  printCount,
  printInterval,
  printRatio,
} from '../../format/printed-figures.ts';
import {
  axesOf,
  cellsOf,
  followSizes,
  LiveSizesFigure,
  lineOf,
  lookIn,
  lookOfArm,
  markersOf,
  noSizes,
  printRate,
  rateTitle,
  SizeFigure,
  type SizeLine,
  type SizeQuantity,
} from './size-figure.tsx';
import { SizesOverlay } from './sizes-overlay.tsx';

/** Up to here the study drew its small documents once more. */
const smallBytes = 20_000;

const sections = [
  { what: 'latency', id: 'time', title: 'Request time' },
  { what: 'cpu', id: 'cpu', title: 'Server CPU per request' },
] as const;

/** Findings of a sweep over sizes, whole or in part. */
export function SizesPage({ document, takeFocus }: { document: SizesDocument; takeFocus: boolean }) {
  const { arms, twinRatios, rounds, request, server } = document;
  const [load, limit] = [describeLoad(document), unsaturated(document)];
  const largest = Math.max(...request.sizes);
  const launches = new Set(rounds.map(({ launch }) => launch)).size;
  const aside = rounds.reduce((sum, { asideShare }) => sum + asideShare, 0) / Math.max(1, rounds.length);
  return (
    <>
      <ResultHead
        document={document}
        headline={sizesHeadline(document)}
        sentences={sizeSentences(document)}
        counts={`${printCount(request.sizes.length, 'size')}, ${rounds.length} of ${printCount(request.rounds, 'round')}`}
        takeFocus={takeFocus}
      />
      {sections.map(({ what, id, title }) =>
        arms.every((arm) => arm[what] === null) ? null : (
          <Section key={id} id={id} title={what === 'cpu' ? `${title} at full load` : title} card>
            <div className="stack roomy">
              <TimeFigure document={document} what={what} upTo={largest} />
              {largest > smallBytes ? <TimeFigure document={document} what={what} upTo={smallBytes} /> : null}
              <LineTable document={document} what={what} />
              <OverheadFigure document={document} what={what} />
              <ResidualFigure document={document} what={what} />
              {what === 'cpu' && limit !== null ? <p>{limit}</p> : null}
            </div>
          </Section>
        ),
      )}
      <ClaimList study="WebPerf 1998" claims={webperfToday(document)} />
      <Section id="connections" title="Connections" lead="The times above exclude opening connections." card>
        <Facts
          facts={arms.map((arm) => ({
            name: lookOfArm(arm).label,
            value: [
              arm.connectUs === null ? 'not measured' : `${printNumber(arm.connectUs / 1000, 2)} ms to open`,
              ...(arm.negotiated === null
                ? []
                : [
                    `${arm.negotiated.protocol}, ${arm.negotiated.cipher}, ${arm.negotiated.key ?? 'key unknown'}`,
                  ]),
            ].join('; '),
          }))}
        />
      </Section>
      <SizesOverlay document={document} />
      <MeasuredServers servers={server === null ? [] : [server]} />
      <MethodSection
        plan={[
          { name: 'Sizes', value: request.sizes.map((size) => printNumber(size, 0)).join(', ') },
          {
            name: 'Rounds',
            value: `${printNumber(rounds.length, 0)}, ${launches > 1 ? 'each on servers that were started again, ' : ''}each with many short turns on all sizes and sides in random order`,
          },
          ...(load === null
            ? []
            : [{ name: 'Full load', value: `${load}. Latency is measured with one user.` }]),
          {
            name: 'Discarded',
            value: `${printNumber(100 * aside, 1)} % of the turns, because the machine was disturbed`,
          },
          {
            name: 'Control',
            value: `HTTP measured a second time: ${printNull(twinRatios.latency)} in latency, ${printNull(twinRatios.cpu)} in server CPU at full load`,
          },
          { name: 'Seed', value: <code>{document.seed}</code> },
        ]}
        machine={document.environment}
        placement={document.placement}
      />
    </>
  );
}

function printNull(ratio: Estimate | null): string {
  return ratio === null ? 'not measured' : printChangeInterval(ratio);
}

type Props = {
  document: Pick<SizesDocument, 'arms' | 'load'>;
  what: SizeQuantity;
  /** Sizes up to this many bytes only: the study drew its small documents once more. */
  upTo: number;
};

/** The study's picture: per size the middle 75 % and 95 % of the requests, and the fitted line. */
function TimeFigure({ document, what, upTo }: Props) {
  const arms = document.arms.map((arm) => ({
    ...arm,
    points: arm.points.filter(({ size }) => size <= upTo),
  }));
  const sizes = [...new Set(arms.flatMap(({ points }) => points.map(({ size }) => size)))].sort(
    (a, b) => a - b,
  );
  if (sizes.length < 2) return null;
  const zoom = sizes.length < (document.arms[0]?.points.length ?? 0) ? `, up to ${printBytes(upTo)}` : '';
  const caption =
    what === 'latency'
      ? `Request time by document size${zoom}. The wide bar covers 75 % of requests, the thin bar 95 %.`
      : `Server CPU per request at full load, by document size${zoom}.`;
  return (
    <SizeFigure
      caption={caption}
      values={what === 'latency' ? 'Median time by size, ms' : 'Server CPU at full load by size, µs'}
      sizes={sizes}
      lines={arms.map((arm) => ({
        look: lookOfArm(arm),
        part: `${arm.arm}/${what}/${arm.arm === 'http' ? 'first' : 'second'}`,
        cells: cellsOf(arm, what),
        series: [markersOf(arm, what), ...lineOf(arm, what, sizes)],
      }))}
      {...axesOf(what, sizes, arms)}
    />
  );
}

type FigureProps = { document: Pick<SizesDocument, 'arms'>; what: 'latency' | 'cpu' };

/** Residuals of the lines. */
function ResidualFigure({ document, what }: FigureProps) {
  const drawn = document.arms.flatMap((arm) => {
    const fit = arm[what];
    if (fit === null) return [];
    return [
      {
        look: lookOfArm(arm),
        part: `${arm.arm}/${what}/residual`,
        residuals: chosenLine(fit).residuals,
      },
    ];
  });
  const all = drawn.flatMap(({ residuals }) => residuals);
  const worst = all.toSorted((a, b) => Math.abs(b.percent) - Math.abs(a.percent))[0];
  if (worst === undefined) return null;
  const lines = drawn.map(
    ({ look, part, residuals }): SizeLine => ({
      ...{ look, part },
      cells: new Map(
        residuals.map(({ size, percent, errorPercent }) => [
          size,
          `${printNumber(percent, 1)} ± ${printNumber(errorPercent, 1)}`,
        ]),
      ),
      series: [
        {
          ...{ ...look, line: true, thin: true, markerSize: 3 },
          points: residuals.map(({ size, percent }) => ({ x: size, y: percent })),
        },
      ],
    }),
  );
  return (
    <SizeFigure
      caption={`Largest residual: ${printNumber(Math.abs(worst.percent), 1)} %, at ${printNumber(worst.size, 0)} bytes.`}
      height={220}
      values="Measured minus fitted, % of measured"
      sizes={[...new Set(all.map(({ size }) => size))]}
      lines={lines}
      level={0}
      y={{ title: '% of the measured value', unit: '%', print: (value) => printNumber(value, 0) }}
    />
  );
}

type OverheadFigureProps = {
  document: Pick<SizesDocument, 'arms' | 'comparisons' | 'load'>;
  what: 'latency' | 'cpu';
};

/** Cost that HTTPS adds at each size, as a share of HTTP, with the 95 % interval of each size. */
function OverheadFigure({ document, what }: OverheadFigureProps) {
  const drawn = document.comparisons.flatMap((comparison) => {
    const points = comparison[what]?.points;
    const part = `${comparison.arm}/${what}/change`;
    return points === undefined ? [] : [{ look: lookIn(document, comparison.arm), part, points }];
  });
  if (drawn.length === 0) return null;
  const lines = drawn.map(({ look, part, points }): SizeLine => {
    const spreads = points.map(({ size, ratio }) => {
      const interval = [percentOf(ratio.lo), percentOf(ratio.hi)] as const;
      return { x: size, wide: interval, thin: interval };
    });
    return {
      ...{ look, part },
      cells: new Map(points.map(({ size, ratio }) => [size, printRatio(ratio)])),
      series: [
        {
          ...{ ...look, line: true, markerSize: 3.5, spreads },
          points: points.map(({ size, ratio }) => ({ x: size, y: percentOf(ratio.center) })),
        },
      ],
    };
  });
  return (
    <SizeFigure
      caption={
        what === 'latency'
          ? 'Time that HTTPS adds to a request. Bars are 95 % CI.'
          : 'Server CPU that HTTPS adds to a request at full load. Bars are 95 % CIs.'
      }
      values="Added by HTTPS"
      sizes={[...new Set(drawn.flatMap(({ points }) => points.map(({ size }) => size)))]}
      lines={lines}
      level={0}
      x={{ fromZero: false, log: true, ticks: [1e3, 1e4, 1e5, 1e6, 1e7] }}
      y={{
        ...{ title: '% of HTTP', unit: '%', print: (value) => printNumber(value, 0), fromZero: true },
        reach: Math.max(...drawn.flatMap(({ points }) => points.map(({ ratio }) => percentOf(ratio.hi)))),
      }}
    />
  );
}

/** The study's table: Offset and TransferRate of each arm, and what a TLS record adds. */
function LineTable({
  document,
  what,
}: {
  document: Pick<SizesDocument, 'arms' | 'load'>;
  what: 'latency' | 'cpu';
}) {
  const rows = document.arms.flatMap((arm) => {
    const fit = arm[what];
    return fit === null ? [] : [{ ...chosenLine(fit), arm: arm.arm, side: lookOfArm(arm).label }];
  });
  const notes = rows.flatMap(({ side, refusals }) => refusals.map((reason) => `${side}: ${reason}`));
  if (rows.length === 0) return null;
  return (
    <>
      <DataTable
        caption={what === 'latency' ? 'Fitted lines, time' : 'Fitted lines, server CPU at full load'}
        narrow="cards"
        rows={rows}
        keyOf={({ side }) => side}
        of={({ arm, form }) => `sizes/${what}/${arm}/${form}`}
        columns={[
          { label: 'Side', cell: ({ side }) => side },
          {
            ...{ label: 'Offset, µs', part: 'offset', numeric: true },
            cell: ({ offsetUs }) => printInterval(offsetUs, 1),
          },
          {
            part: 'rate',
            label: rateTitle(what),
            numeric: true,
            cell: ({ bytesPerMs }) => printRate(bytesPerMs),
          },
          {
            ...{ label: 'Per TLS record, µs', part: 'record', numeric: true },
            cell: ({ recordUs }) => printInterval(recordUs, 1),
          },
          {
            ...{ label: 'R²', part: 'fit', numeric: true },
            cell: ({ rSquared }) => (rSquared === null ? '–' : printNumber(rSquared, 3)),
          },
        ]}
      />
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </>
  );
}

/** A sweep over sizes on the page of a measurement. */
export const sizesView = {
  page: 'r' as const,
  resumable: true as const,
  subject: ({ request }: SizesDocument) => `${request.sizes.length} document sizes`,
  method: () =>
    'One user requests documents over HTTP and HTTPS in turn, on open connections, for their time. Eight users at once give the server CPU at full load. Each round measures the sizes in random order.',
  phases: () =>
    [
      { name: 'warm-up', title: 'Warming up', text: 'Start the servers and check every document.' },
      { name: 'measuring', title: 'Measuring', text: 'Measure all sizes in every round.' },
    ] satisfies { name: SizesPhase; title: string; text: string }[],
  figures: noSizes,
  follow: followSizes,
  Live: LiveSizesFigure,
  Finished: SizesPage,
  csvRow: 'size on one side in one round',
};
