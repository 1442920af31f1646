import { printNumber, printQuantity, scaleFor } from '../../../shared/base/quantity.ts';
import { type BySide, type SideName, sideNames } from '../../../shared/base/transport.ts';
import type {
  CachedResource,
  CacheSide,
  CacheSource,
  CacheVisit,
} from '../../../shared/kinds/comparison/cache-report.ts';
import type { ShownRun } from '../../../shared/kinds/comparison/run.ts';
import { Card, Notice } from '../../components/card.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Fold } from '../../components/term.tsx';
import { printBytes } from '../../format/printed-figures.ts';
import { type Sides, sidesOf } from '../../format/sides.ts';
import classes from './run.module.css';

/** Resources that a browser cached, on either side: HTTPS must not cost the cache. */
export function CacheSection({ document: { cache, sides: spoken } }: { document: ShownRun }) {
  const sides = sidesOf(spoken);
  const visits = visitsOf(cache);
  return (
    <Fold id="cache" title="Browser cache" lead={leadOf(cache, sides)}>
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

/** `2 of 4 requests from the cache with HTTP, 2 of 4 with HTTPS`, on the warm visit. */
function leadOf(cache: ShownRun['cache'], sides: Sides): string {
  if (cache.underWay === true) return 'A browser visits the pages';
  const found = sideNames.flatMap((side) => {
    const warm = cache[side]?.warm;
    return warm === undefined ? [] : [{ ...warm, label: sides[side].label }];
  });
  if (found.length === 0) return 'Not measured';
  return found
    .map(({ fromCache, requests, label }, place) => {
      const what = place === 0 ? ' requests from the cache' : '';
      return `${printNumber(fromCache, 0)} of ${printNumber(requests, 0)}${what} with ${label}`;
    })
    .join(', ');
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
          of={({ side, kind }) => `comparison/cache/${side} ${kind}`}
          columns={[
            { label: 'Visit', cell: nameOf },
            { label: 'Requests', cell: ({ visit }) => printNumber(visit.requests, 0) },
            { label: 'Network', cell: ({ visit }) => printNumber(visit.fromNetwork, 0) },
            { label: 'From cache', cell: ({ visit }) => printNumber(visit.fromCache, 0) },
            { label: 'Revalidated (304)', cell: ({ visit }) => printNumber(visit.revalidated, 0) },
            { label: 'Not stored', cell: ({ visit }) => printNumber(visit.notStored, 0) },
            { label: 'Bytes', part: 'bytes', cell: ({ visit }) => printBytes(visit.bytes) },
            { label: 'Load', part: 'load', cell: ({ visit }) => printQuantity(visit.loadMs * 1000, loads) },
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
            of={({ path }) => `comparison/cache${path}`}
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
                ...{ label: nameOf(visit), part: `${visit.side} ${visit.kind}` },
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

type Visit = { side: SideName; kind: 'cold' | 'warm'; visit: CacheVisit };

/** The visits that were made, baseline first, cold before warm. */
export function visitsOf(cache: BySide<CacheSide | null>): Visit[] {
  return sideNames.flatMap((side) => {
    const visits = cache[side];
    if (visits === null) return [];
    return [
      { side, kind: 'cold' as const, visit: visits.cold },
      { side, kind: 'warm' as const, visit: visits.warm },
    ];
  });
}

/** One resource over all visits, in the order of its first appearance. */
type ResourceRow = {
  path: string;
  type: string;
  cacheControl: string;
  sensitive: boolean;
  /** In the order of the visits; null when that visit did not ask for it. */
  cells: readonly (CachedResource | null)[];
};

export function resourceRows(visits: readonly Visit[]): ResourceRow[] {
  const paths = new Map<string, CachedResource>();
  for (const { visit } of visits) {
    for (const resource of visit.resources) if (!paths.has(resource.path)) paths.set(resource.path, resource);
  }
  return [...paths.values()].map(({ path, type, cacheControl, sensitive }) => ({
    path,
    type,
    cacheControl,
    sensitive,
    cells: visits.map(({ visit }) => visit.resources.find((resource) => resource.path === path) ?? null),
  }));
}

const sourceWords: Record<CacheSource, string> = {
  network: 'network',
  cache: 'from cache',
  revalidated: 'revalidated (304)',
  not_stored: 'not stored',
};

/** Which parts of a document hold figures; a run that ended early has rows without any. */
export function isMeasured({ metrics }: Pick<ShownRun, 'metrics'>): boolean {
  return metrics.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

export function hasSteps({ steps }: Pick<ShownRun, 'steps'>): boolean {
  return steps.some(({ baseline, comparison }) => baseline !== null || comparison !== null);
}

/** Whether there is a difference in CPU at load, which can be explained. */
export function hasCpuDelta({ metrics }: Pick<ShownRun, 'metrics'>): boolean {
  return metrics.some(({ id, delta }) => id === 'cpu_at_load' && delta !== null);
}
