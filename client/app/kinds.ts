import type { KindName } from '../../shared/measurement/kind-names.ts';
import { lateView } from '../features/measurement/late-view.ts';
import type { KindViews } from '../features/measurement/unfold.ts';

/** How each kind of measurement is shown, loaded with the first of its kind. A result's own file takes all of them along. */
export const kinds: KindViews = {
  comparison: lateView(
    async () => (await import('../features/run/comparison-result-page.tsx')).comparisonView,
  ),
  handshakes: lateView(
    async () => (await import('../features/lab/handshakes-result-page.tsx')).handshakesView,
  ),
  speed: lateView(async () => (await import('../features/lab/speed-result-page.tsx')).speedView),
  visits: lateView(async () => (await import('../features/lab/visits-result-page.tsx')).visitsView),
  sizes: lateView(async () => (await import('../features/lab/sizes-result-page.tsx')).sizesView),
  servers: lateView(async () => (await import('../features/servers/servers-result-page.tsx')).serversView),
  distance: lateView(
    async () => (await import('../features/lab/distance/distance-result-page.tsx')).distanceView,
  ),
  mesh: lateView(async () => (await import('../features/lab/mesh-result-page.tsx')).meshView),
  prices: lateView(async () => (await import('../features/lab/prices-result-page.tsx')).pricesView),
  explain: lateView(async () => (await import('../features/lab/explain-result-page.tsx')).explainView),
};

/** Loads the view of a kind before its page needs it. A failure here repeats on the page, which reports it. */
export async function openKind(kind: KindName): Promise<void> {
  await kinds[kind].open().catch(() => undefined);
}
