import type { LabPhase } from '../../../../shared/kinds/lab/lab-progress.ts';
import { type BrowserDocument, journeyName } from '../../../../shared/kinds/visits/visits.ts';
import { sidesOf } from '../../../format/side.ts';
import { BrowserPage } from './visits-page.tsx';

/** A journey on the page of a measurement. It tells no figures before its end. */
export const journeyView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: ({ request }: BrowserDocument) => `${journeyName(request)} in a browser`,
  method(document: BrowserDocument) {
    const { baseline, comparison } = sidesOf(document.sides);
    return `A real browser visits ${baseline.label} and ${comparison.label} in random order.`;
  },
  phases: [
    { name: 'preparing', title: 'Preparing', text: 'Start the browser and the target.' },
    { name: 'warm-up', title: 'Warm-up', text: 'Visit each side once, uncounted.' },
    { name: 'measuring', title: 'Measuring', text: 'Visit each side with an empty cache, then again.' },
  ] satisfies { name: LabPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: BrowserPage,
  csvRow: 'pass of a visit',
};
