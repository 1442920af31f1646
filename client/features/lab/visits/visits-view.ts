import { journeyName, type VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { sidesOf } from '../../../format/side.ts';
import { VisitsPage } from './visits-page.tsx';

/** Visits on the page of a measurement. They tell no figures before their end. */
export const visitsView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: ({ request }: VisitsDocument) => `${journeyName(request)} in a browser`,
  method(document: VisitsDocument) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `A real browser visits ${baseline.label} and ${comparison.label} in random order.`;
  },
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Start the browser and the target.' },
      { name: 'warm-up', title: 'Warm-up', text: 'Visit each side once, uncounted.' },
      { name: 'measuring', title: 'Measuring', text: 'Visit each side with an empty cache, then again.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: VisitsPage,
  csvRow: 'pass of a visit',
};
