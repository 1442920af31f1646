import { printNumber, printQuantity, scaleFor } from '../../../../shared/base/quantity.ts';
import type { ShownRun } from '../../../../shared/kinds/comparison/shown-run.ts';
import { Card } from '../../../components/card.tsx';
import { DataTable } from '../../../components/data-table.tsx';
import { Fold } from '../../../components/fold.tsx';
import { Notice } from '../../../components/notice.tsx';
import { printBytes } from '../../../format/bytes.ts';
import { type Sides, sidesOf } from '../../../format/side.ts';
import classes from '../run.module.css';
import { resourceRows, sourceWords, type Visit, visitsOf } from './cache-rows.ts';

/** What a browser kept, on either side: HTTPS must not cost the cache. */
export function CacheSection({ document: { cache, sides: spoken } }: { document: ShownRun }) {
  const sides = sidesOf(spoken);
  const visits = visitsOf(cache);
  return (
    <Fold id="cache" title="Browser cache" lead={leadOf(cache)}>
      {visits.length === 0 ? null : (
        <p>A real browser opened the pages twice on each side: cold, with nothing stored, and warm.</p>
      )}
      {cache.findings.length === 0 ? null : (
        <Notice tone="quiet" title="Findings">
          <ul className={classes.findings}>
            {cache.findings.map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
        </Notice>
      )}
      {visits.length === 0 ? null : <Visits visits={visits} sides={sides} />}
    </Fold>
  );
}

function leadOf({ baseline, comparison, underWay }: ShownRun['cache']): string | null {
  if (underWay === true) return 'A browser visits the pages';
  return baseline === null && comparison === null ? 'Not measured' : null;
}

function Visits({ visits, sides }: { visits: Visit[]; sides: Sides }) {
  const loads = scaleFor(
    'us',
    visits.map(({ visit }) => visit.loadMs * 1000),
  );
  const nameOf = ({ side, kind }: Visit) => `${sides[side].label}, ${kind}`;
  return (
    <>
      <Card flush>
        <DataTable
          caption="Visits of the browser"
          rows={visits}
          keyOf={nameOf}
          columns={[
            { label: 'Visit', cell: nameOf },
            { label: 'Requests', cell: ({ visit }) => printNumber(visit.requests, 0) },
            { label: 'Network', cell: ({ visit }) => printNumber(visit.fromNetwork, 0) },
            { label: 'From cache', cell: ({ visit }) => printNumber(visit.fromCache, 0) },
            { label: 'Revalidated (304)', cell: ({ visit }) => printNumber(visit.revalidated, 0) },
            { label: 'Not stored', cell: ({ visit }) => printNumber(visit.notStored, 0) },
            { label: 'Bytes', cell: ({ visit }) => printBytes(visit.bytes) },
            { label: 'Load', cell: ({ visit }) => printQuantity(visit.loadMs * 1000, loads) },
          ]}
        />
      </Card>
      <details className={classes.resources}>
        <summary>Every resource</summary>
        <Card flush>
          <DataTable
            caption="Every resource, in every visit"
            text
            narrow="cards"
            rows={resourceRows(visits)}
            keyOf={({ path }) => path}
            columns={[
              {
                label: 'Resource',
                cell: ({ path, sensitive }) => (
                  <span className={classes.path}>
                    {path}
                    {sensitive ? <em> sensitive</em> : null}
                  </span>
                ),
              },
              { label: 'Type', cell: ({ type }) => type },
              { label: 'Cache-Control', cell: ({ cacheControl }) => cacheControl || 'none' },
              ...visits.map((visit, index) => ({
                label: nameOf(visit),
                cell: ({ cells }: ReturnType<typeof resourceRows>[number]) => {
                  const cell = cells[index];
                  if (cell == null) return '–';
                  return cell.bytes === 0
                    ? sourceWords[cell.source]
                    : `${sourceWords[cell.source]}, ${printBytes(cell.bytes)}`;
                },
              })),
            ]}
          />
        </Card>
      </details>
    </>
  );
}
