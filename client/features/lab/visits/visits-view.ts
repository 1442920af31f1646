import { journeyName, type VisitsDocument } from '../../../../shared/kinds/visits/visits.ts';
import type { VisitsPhase } from '../../../../shared/kinds/visits/visits-progress.ts';
import { sidesOf } from '../../../format/option-form.ts';
import { followVisits, noVisits } from './live-figures.ts';
import { LiveVisitTimes, VisitsPage } from './visits-page.tsx';

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
      { name: 'filming', title: 'Filming', text: 'Visit each side once more for pictures, uncounted.' },
    ] satisfies { name: VisitsPhase; title: string; text: string }[],
  figures: noVisits,
  follow: followVisits,
  Live: LiveVisitTimes,
  Finished: VisitsPage,
  csvRow: 'pass of a visit',
};
