import { printNumber } from '../../../../shared/base/quantity.ts';
import { bySide, labelsOf, sideNames } from '../../../../shared/base/transport.ts';
import {
  passKinds,
  type VisitsDocument,
  visitTimes,
  visitTimeTitles,
} from '../../../../shared/kinds/visits/visits.ts';
import type { ProgressEvent } from '../../../../shared/measurement/measurement.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { MediansSoFar } from '../../../components/medians-so-far.tsx';
import { Section } from '../../../components/section.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import { printCount } from '../../../format/count.ts';
import { type Sides, sidesOf } from '../../../format/side.ts';
import { type LiveVisits, medianOf, visitsOf } from './live-figures.ts';

type Props = { document: VisitsDocument; figures: LiveVisits; counts: ProgressEvent['counts'] };

/** What the browser does now, and the times so far. */
export function LiveVisitTimes({ document, figures }: Props) {
  const sides = sidesOf(document.sides);
  return (
    <>
      <Now document={document} figures={figures} />
      {figures.visits.length === 0 ? null : (
        <>
          <LiveMedians figures={figures} sides={sides} />
          <LoadsSoFar figures={figures} sides={sides} planned={2 * document.request.blocks} />
        </>
      )}
    </>
  );
}

const visits = { cold: 'First visit', warm: 'Second visit' };

function Now({ document, figures: { now } }: Pick<Props, 'document' | 'figures'>) {
  if (now === null) return null;
  const labels = labelsOf(document.sides);
  const arm = { ...labels, twin: `${labels.baseline} twin` }[now.arm];
  return (
    <Card>
      <p data-testid="now">
        Now: {visits[now.pass].toLowerCase()} over {arm}, step {now.action} of {now.actions}
      </p>
    </Card>
  );
}

type FigureProps = { figures: LiveVisits; sides: Sides };

function LiveMedians({ figures, sides }: FigureProps) {
  const count = figures.visits.filter(({ arm }) => arm !== 'twin').length;
  const print = (us: number | null) => (us === null ? '–' : printNumber(us / 1000, us < 100_000 ? 1 : 0));
  const rows = passKinds.flatMap((pass) =>
    visitTimes.map((time) => ({
      name: `${visitTimeTitles[time]}, ${visits[pass].toLowerCase()}`,
      ...bySide((side) => print(medianOf(figures, side, pass, time))),
    })),
  );
  return <MediansSoFar of={printCount(count, 'visit')} head="Time, ms" sides={sides} rows={rows} />;
}

function LoadsSoFar({ figures, sides, planned }: FigureProps & { planned: number }) {
  const points = (side: (typeof sideNames)[number]) =>
    visitsOf(figures, side).map(({ cold }, index) => ({ x: index + 1, y: cold.loadUs / 1000 }));
  const most = Math.max(...sideNames.map((side) => points(side).length));
  return (
    <Section id="loads" title="Visit by visit" card>
      <XyFigure
        height={220}
        caption="Load of each first visit. Provisional, as single visits scatter."
        table={
          <DataTable
            caption="Load of each first visit so far, ms"
            narrow="scroll"
            rows={Array.from({ length: most }, (_, index) => index)}
            keyOf={(index) => index}
            columns={[
              { label: 'Visit', cell: (index) => index + 1 },
              ...sideNames.map((side) => ({
                label: sides[side].label,
                cell: (index: number) => {
                  const point = points(side)[index];
                  return point === undefined ? '–' : printNumber(point.y, 0);
                },
              })),
            ]}
          />
        }
        label={`Load of each first visit, ${sides.baseline.label} and ${sides.comparison.label}, ${most} so far`}
        series={sideNames.map((side) => ({ ...sides[side], markerSize: 5, points: points(side) }))}
        x={{
          title: 'Visit',
          print: (value) => (Number.isInteger(value) ? String(value) : ''),
          min: 0,
          max: planned + 1,
        }}
        y={{ title: 'Load, ms', fromZero: true, print: (value) => printNumber(value, 0) }}
      />
    </Section>
  );
}
