/** Protects the table of cached resources: one row for each, over all visits. */
import { expect, test } from 'vitest';
import type { CachedResource, CacheVisit } from '../../../shared/kinds/comparison/cache-report.ts';
import { resourceRows, visitsOf } from './cache-section.tsx';

function resource(path: string, source: CachedResource['source']): CachedResource {
  return {
    path,
    type: 'document',
    status: 200,
    source,
    bytes: 100,
    contentEncoding: '',
    cacheControl: 'no-cache',
    sensitive: false,
  };
}

function visit(resources: CachedResource[]): CacheVisit {
  return {
    requests: resources.length,
    fromNetwork: 0,
    fromCache: 0,
    revalidated: 0,
    notStored: 0,
    bytes: 0,
    loadMs: 1,
    resources,
  };
}

test('a resource is one row over all visits, empty where a visit did not ask for it', () => {
  const baseline = {
    transport: 'http' as const,
    cold: visit([resource('/', 'network'), resource('/a.css', 'network')]),
    warm: visit([resource('/', 'revalidated')]),
  };
  const visits = visitsOf({ baseline, comparison: null });
  expect(visits.map(({ side, kind }) => `${side} ${kind}`)).toEqual(['baseline cold', 'baseline warm']);
  const rows = resourceRows(visits);
  expect(rows.map(({ path }) => path)).toEqual(['/', '/a.css']);
  expect(rows.map(({ cells }) => cells.map((cell) => cell?.source ?? null))).toEqual([
    ['network', 'revalidated'],
    ['network', null],
  ]);
});
