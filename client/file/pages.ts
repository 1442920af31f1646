import type { ReactNode } from 'react';
import type { KindName } from '../../shared/measurement/kind-names.ts';
import type { ShownMeasurement } from '../../shared/measurement/shown-measurement.ts';
import { DistancePage } from '../features/lab/distance/distance-page.tsx';
import { ExplainResultPage } from '../features/lab/explain/explain-result-page.tsx';
import { HandshakesPage } from '../features/lab/handshakes/handshakes-page.tsx';
import { SpeedPage } from '../features/lab/speed/speed-page.tsx';
import { VisitsPage } from '../features/lab/visits/visits-page.tsx';
import { FinishedPage } from '../features/run/finished/finished-page.tsx';
import { ServersPage } from '../features/servers/servers-page.tsx';
import { SizesPage } from '../features/sizes/sizes-page.tsx';

type Page<Document> = (props: { document: Document; takeFocus: boolean }) => ReactNode;

const pages: { [Kind in KindName]: Page<Extract<ShownMeasurement, { kind: Kind }>> } = {
  comparison: FinishedPage,
  handshakes: HandshakesPage,
  speed: SpeedPage,
  visits: VisitsPage,
  sizes: SizesPage,
  servers: ServersPage,
  distance: DistancePage,
  explain: ExplainResultPage,
};

/** What shows a result of a kind once it is over. */
export function pageOf(kind: KindName): Page<ShownMeasurement> {
  return pages[kind] as Page<ShownMeasurement>;
}
