import type { KindName } from '../../shared/measurement/kind-names.ts';
import { lateView } from '../features/measurement/late-view.ts';
import type { KindViews } from '../features/measurement/unfold.ts';

/** How each kind of measurement is shown, loaded with the first of its kind. A result's own file takes all of them along. */
export const kinds: KindViews = {
  comparison: lateView(async () => (await import('../features/run/comparison-view.ts')).comparisonView),
  handshakes: lateView(
    async () => (await import('../features/lab/handshakes/handshakes-view.ts')).handshakesView,
  ),
  speed: lateView(async () => (await import('../features/lab/speed/speed-view.ts')).speedView),
  visits: lateView(async () => (await import('../features/lab/visits/visits-view.ts')).visitsView),
  sizes: lateView(async () => (await import('../features/sizes/sizes-view.ts')).sizesView),
  servers: lateView(async () => (await import('../features/servers/servers-view.ts')).serversView),
  distance: lateView(async () => (await import('../features/lab/distance/distance-view.ts')).distanceView),
  mesh: lateView(async () => (await import('../features/lab/mesh/mesh-view.ts')).meshView),
  explain: lateView(async () => (await import('../features/lab/explain/explain-view.ts')).explainView),
};

/** Loads what shows measurements of a kind, ahead of the page. What fails here fails again on the page, which says so. */
export async function openKind(kind: KindName): Promise<void> {
  await kinds[kind].open().catch(() => undefined);
}
