import { useState } from 'react';
import { type BySide, sideNames } from '../../../../shared/base/transport.ts';
import type { PassKind, VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { PageRequest, VisitedPage } from '../../../../shared/kinds/visits/waterfall.ts';
import { DataTable } from '../../../components/data-table.tsx';
import { Figure } from '../../../components/figure.tsx';
import { Section } from '../../../components/section.tsx';
import { ToggleChips } from '../../../components/toggle-chips.tsx';
import { Waterfall } from '../../../components/waterfall.tsx';
import { type Side, type Sides, sidesOf } from '../../../format/side.ts';
import classes from '../lab.module.css';
import { FilmFigure } from './film-figure.tsx';
import { PartsLegend } from './parts-legend.tsx';
import {
  lanesOf,
  lengthOf,
  pageOf,
  pathsOf,
  printMoment,
  printTime,
  waterfallInWords,
} from './waterfall-view.ts';

/** Page by page, what the browser asked for and what it showed. Nothing where no visit was kept. */
export function PagesSection({ document }: { document: VisitsDocument }) {
  const { waterfalls, film } = document;
  const [pass, setPass] = useState<PassKind>('cold');
  const [wanted, setWanted] = useState('0');
  if (waterfalls === undefined) return null;
  const sides = sidesOf(document.sides);
  const paths = pathsOf(waterfalls, pass);
  const index = Math.min(Number(wanted), paths.length - 1);
  const pages = pageOf(waterfalls, pass, index);
  if (pages === null) return null;
  return (
    <Section id="waterfall" title="Request by request" card>
      <div className={classes.choices}>
        <ToggleChips
          label="Visit"
          value={pass}
          choices={[
            { value: 'cold', label: 'First visit' },
            { value: 'warm', label: 'Second visit' },
          ]}
          onChange={setPass}
        />
        {paths.length < 2 ? null : (
          <ToggleChips
            label="Page"
            value={String(index)}
            choices={paths.map((path, place) => ({
              value: String(place),
              label: labelOf(paths, path, place),
            }))}
            onChange={setWanted}
          />
        )}
      </div>
      <div className={classes.figures}>
        <WaterfallFigure path={paths[index] ?? ''} pages={pages} sides={sides} />
        {film === undefined || pass === 'warm' ? null : (
          <FilmFigure film={film} index={index} sides={sides} />
        )}
      </div>
    </Section>
  );
}

/** A path may come twice: with another query. */
function labelOf(paths: readonly string[], path: string, place: number): string {
  const before = paths.slice(0, place).filter((each) => each === path).length;
  return before === 0 ? path : `${path} (${before + 1})`;
}

type WaterfallProps = { path: string; pages: BySide<VisitedPage>; sides: Sides };

function WaterfallFigure({ path, pages, sides }: WaterfallProps) {
  const words = waterfallInWords(path, pages, sides);
  return (
    <Figure
      caption={`${words}.`}
      marks="One visit of each side: the one whose first load is nearest to the median."
      legend={<PartsLegend colors={sideNames.map((side) => sides[side].color)} />}
      height={null}
      table={<RequestTable pages={pages} sides={sides} />}
    >
      <Waterfall
        label={`Waterfall of both sides. ${words}.`}
        lanes={lanesOf(pages, sides)}
        print={printMoment}
      />
    </Figure>
  );
}

type Row = { key: string; side: Side; request: PageRequest };

function RequestTable({ pages, sides }: Omit<WaterfallProps, 'path'>) {
  const rows = sideNames.flatMap((side) =>
    pages[side].requests.map(
      (request, index): Row => ({ key: `${side} ${index}`, side: sides[side], request }),
    ),
  );
  const time = (us: number) => (us === 0 ? '–' : printTime(us));
  return (
    <DataTable
      caption="Requests of the page on both sides"
      narrow="scroll"
      testId="requests"
      rows={rows}
      keyOf={({ key }) => key}
      columns={[
        { label: 'Side', cell: ({ side }) => side.label },
        { label: 'Request', numeric: false, cell: ({ request }) => request.name },
        {
          label: 'Status',
          numeric: false,
          cell: ({ request }) => (request.cached ? `${request.status}, from the cache` : request.status),
        },
        { label: 'Protocol', numeric: false, cell: ({ request }) => request.protocol || '–' },
        { label: 'Bytes', cell: ({ request }) => request.bytes.toLocaleString('en') },
        { label: 'Start', cell: ({ request }) => printTime(request.startUs) },
        { label: 'Queued', cell: ({ request }) => time(request.queuedUs) },
        { label: 'DNS', cell: ({ request }) => time(request.dnsUs) },
        { label: 'Connect', cell: ({ request }) => time(request.connectUs) },
        { label: 'TLS', cell: ({ request }) => time(request.tlsUs) },
        { label: 'Wait', cell: ({ request }) => time(request.waitUs) },
        { label: 'Receive', cell: ({ request }) => time(request.receiveUs) },
        { label: 'Total', cell: ({ request }) => time(lengthOf(request)) },
      ]}
    />
  );
}
