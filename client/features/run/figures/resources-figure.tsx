import { printNumber, printQuantity, type Scale, scaleFor } from '../../../../shared/base/quantity.ts';
import { type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { pointInWords } from '../../../../shared/words/at-load-words.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Legend } from '../../../components/legend.tsx';
import { XyFigure } from '../../../components/xy-figure.tsx';
import type { Sides } from '../../../format/side.ts';
import { EmptyFigure } from './empty-figure.tsx';
import { type ResourcePoint, type ResourcesView, resourcesView } from './resources-view.ts';

type Props = { document: ShownRun; sides: Sides };
type Quantity = { title: string; key: 'cpuPercent' | 'rssBytes'; scale: Scale };

export function ResourcesFigure({ document, sides }: Props) {
  const view = resourcesView(document);
  if (view === null) {
    const { plan } = document;
    return (
      <EmptyFigure>
        {plan.openMs === null
          ? 'CPU and memory over time come from open load, which this run does not have. Choose the length To quote, or give a rate.'
          : 'The target’s processes could not be read over time.'}
      </EmptyFigure>
    );
  }
  return (
    <div className="stack roomy">
      <OverTime
        view={view}
        sides={sides}
        quantity={{
          title: 'CPU',
          key: 'cpuPercent',
          scale: { symbol: '% of a core', divisor: 1, decimals: 0 },
        }}
      />
      <OverTime
        view={view}
        sides={sides}
        quantity={{
          title: 'Memory',
          key: 'rssBytes',
          scale: scaleFor('bytes', [view.baseline.rssBytes, view.comparison.rssBytes]),
        }}
      />
    </div>
  );
}

function OverTime({ view, sides, quantity }: { view: ResourcesView; sides: Sides; quantity: Quantity }) {
  const { title, key, scale } = quantity;
  const median = (side: SideName) => `${printQuantity(view[side][key], scale)} with ${sides[side].label}`;
  const words = `${title} of the server ${pointInWords[view.point]}: ${median('baseline')}, ${median('comparison')} (medians)`;
  return (
    <XyFigure
      height={260}
      caption={`${words}.`}
      marks="A marker is one reading; a gap is the turn of the other side."
      legend={<Legend items={[sides.baseline, sides.comparison]} />}
      table={<ReadingsTable view={view} sides={sides} quantity={quantity} />}
      label={`${words}, over time.`}
      series={sideNames.map((side) => ({
        ...sides[side],
        // A slot is too short for dashes to show: the markers tell the sides apart.
        dashed: false,
        markerSize: 2.5,
        points: view[side].points.map((point) => ({ x: point.seconds, y: point[key] })),
      }))}
      x={{ title: 'Seconds since the start', print: (seconds) => printNumber(seconds, 0) }}
      y={{
        title: scale.symbol,
        fromZero: key === 'cpuPercent',
        print: (value) => printNumber(value / scale.divisor, Math.min(1, scale.decimals)),
      }}
    />
  );
}

type Reading = ResourcePoint & { side: SideName };

const mostReadings = 200;

function ReadingsTable({ view, sides, quantity }: { view: ResourcesView; sides: Sides; quantity: Quantity }) {
  const { title, key, scale } = quantity;
  const readings = sideNames
    .flatMap((side) => view[side].points.map((point): Reading => ({ ...point, side })))
    .filter((reading) => !Number.isNaN(reading[key]))
    .toSorted((a, b) => a.seconds - b.seconds);
  const every = Math.ceil(readings.length / mostReadings);
  return (
    <DataTable
      caption={every === 1 ? `${title} over time` : `${title} over time, every ${every}th reading`}
      narrow="scroll"
      rows={readings.filter((_, index) => index % every === 0)}
      keyOf={({ seconds, side }) => `${side} ${seconds}`}
      columns={[
        { label: 'At', cell: ({ seconds }) => `${printNumber(seconds, 2)} s` },
        { label: 'Side', numeric: false, cell: ({ side }) => sides[side].label },
        { label: title, cell: (reading) => printQuantity(reading[key], scale) },
      ]}
    />
  );
}
