import { type BySide, type SideName, sideNames } from '../../../../shared/base/transport.ts';
import type {
  CachedResource,
  CacheSide,
  CacheSource,
  CacheVisit,
} from '../../../../shared/kinds/comparison/cache-report.ts';

export type Visit = { side: SideName; kind: 'cold' | 'warm'; visit: CacheVisit };

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

export const sourceWords: Record<CacheSource, string> = {
  network: 'network',
  cache: 'from cache',
  revalidated: 'revalidated (304)',
  not_stored: 'not stored',
};
