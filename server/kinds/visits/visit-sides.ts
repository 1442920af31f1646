import { type Arm, type AskedArms, pairOf, twoSidesAndTwin } from '../../../shared/base/transport.ts';
import type { VisitsFigures } from '../../../shared/kinds/visits/visits.ts';

/** What the visits compare. A browser speaks HTTP/2 where the server offers it with TLS; the notes say what was spoken. */
export const visitSides: VisitsFigures['sides'] = {
  baseline: { transport: 'http' },
  comparison: { transport: 'https' },
};

/** Of the target. */
export const visitsAsked: AskedArms<Arm> = { arms: twoSidesAndTwin, transports: pairOf(visitSides) };
