import { sweepView } from '../features/factors/sweep-view.ts';
import { journeyView } from '../features/lab/browser/journey-view.ts';
import { distanceView } from '../features/lab/distance/distance-view.ts';
import { handshakesView } from '../features/lab/handshakes/handshakes-view.ts';
import { primitivesView } from '../features/lab/speed/primitives-view.ts';
import type { KindViews } from '../features/measurement/kind-view.ts';
import { comparisonView } from '../features/run/comparison-view.ts';
import { sizesView } from '../features/sizes/sizes-view.ts';

/** How each kind of measurement is shown: the one place of its page that knows them all. */
export const kinds: KindViews = {
  comparison: comparisonView,
  handshakes: handshakesView,
  primitives: primitivesView,
  journey: journeyView,
  sizes: sizesView,
  sweep: sweepView,
  distance: distanceView,
};
