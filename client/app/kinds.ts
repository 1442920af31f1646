import type { KindName, LabKind } from '../../shared/measurement/kind-names.ts';
import type { LateKindView } from '../features/measurement/kind-view.ts';
import { lateView } from '../features/measurement/late-view.ts';
import { type LatePage, latePage } from './late-page.tsx';

type KindPages = { [Kind in KindName]: { view: LateKindView<Kind> } } & {
  [Kind in LabKind]: { start: LatePage };
};

/** How each kind of measurement is started and shown, loaded with the first of its kind: the one place that knows them all. */
export const kinds: KindPages = {
  comparison: {
    view: lateView(async () => (await import('../features/run/comparison-view.ts')).comparisonView),
  },
  handshakes: {
    view: lateView(
      async () => (await import('../features/lab/handshakes/handshakes-view.ts')).handshakesView,
    ),
    start: latePage(() => import('../features/lab/handshakes/start-page.tsx')),
  },
  speed: {
    view: lateView(async () => (await import('../features/lab/speed/speed-view.ts')).speedView),
    start: latePage(() => import('../features/lab/speed/start-page.tsx')),
  },
  visits: {
    view: lateView(async () => (await import('../features/lab/visits/visits-view.ts')).visitsView),
    start: latePage(() => import('../features/lab/visits/start-page.tsx')),
  },
  sizes: {
    view: lateView(async () => (await import('../features/sizes/sizes-view.ts')).sizesView),
    start: latePage(() => import('../features/sizes/start-page.tsx')),
  },
  servers: {
    view: lateView(async () => (await import('../features/servers/servers-view.ts')).serversView),
    start: latePage(() => import('../features/servers/start-page.tsx')),
  },
  distance: {
    view: lateView(async () => (await import('../features/lab/distance/distance-view.ts')).distanceView),
    start: latePage(() => import('../features/lab/distance/start-page.tsx')),
  },
  mesh: {
    view: lateView(async () => (await import('../features/lab/mesh/mesh-view.ts')).meshView),
    start: latePage(() => import('../features/lab/mesh/start-page.tsx')),
  },
  explain: {
    view: lateView(async () => (await import('../features/lab/explain/explain-view.ts')).explainView),
    start: latePage(() => import('../features/lab/explain/start-page.tsx')),
  },
};

/** Loads what shows measurements of a kind, ahead of the page. What fails here fails again on the page, which says so. */
export async function openKind(kind: KindName): Promise<void> {
  await kinds[kind].view.open().catch(() => undefined);
}
