import type { CachedResource, CacheSide } from '../../../shared/kinds/comparison/cache-report.ts';

/**
 * Whether each sensitive path stayed out of the cache. A 304 counts as a leak: the body that was shown had been stored. Pure.
 */
export function sensitiveFindings(
  http: CacheSide,
  https: CacheSide,
  sensitivePaths: readonly string[],
): string[] {
  return sensitivePaths.flatMap((path) => judge(path, [http, https]));
}

function judge(path: string, sides: CacheSide[]): string[] {
  const uses = sides.map((side) => ({ transport: side.transport, resources: resourcesOf(side, path) }));
  const unseen = uses.filter(({ resources }) => resources.length === 0);
  if (unseen.length > 0) {
    const where = unseen.map(({ transport }) => transport).join(' and ');
    return [`Nothing can be said about ${path}, which is sensitive: it did not load over ${where}.`];
  }
  const leaks = uses.filter(({ resources }) => resources.some(isFromCache));
  if (leaks.length > 0) {
    const where = leaks.length === 2 ? 'on both sides' : `over ${leaks[0]?.transport}`;
    return [`${path} is sensitive and came from the cache ${where}. Send it with Cache-Control: no-store.`];
  }
  const storable = uses.flatMap(({ resources }) => resources).find(({ source }) => source !== 'not_stored');
  if (storable !== undefined) {
    const header =
      storable.cacheControl === '' ? 'no Cache-Control' : `Cache-Control: ${storable.cacheControl}`;
    return [
      `${path} is sensitive and did not come from the cache on either side, but a browser may store it (${header}). Send it with Cache-Control: no-store.`,
    ];
  }
  return [`${path} is never cached on either side (no-store).`];
}

function resourcesOf({ cold, warm }: CacheSide, path: string): CachedResource[] {
  return [cold, warm].flatMap(({ resources }) =>
    resources.filter((resource) => resource.path === path || resource.path.split('?')[0] === path),
  );
}

function isFromCache({ source }: CachedResource): boolean {
  return source === 'cache' || source === 'revalidated';
}
