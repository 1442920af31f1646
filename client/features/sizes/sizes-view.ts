import type { SizesPhase } from '../../../shared/kinds/sizes/size-progress.ts';
import type { SizesDocument } from '../../../shared/kinds/sizes/sizes.ts';
import { followSizes, LiveSizesFigure, noSizes } from './size-figure.tsx';
import { SizesPage } from './sizes-page.tsx';

/** A sweep over sizes on the page of a measurement. */
export const sizesView = {
  noun: 'sweep',
  page: 'r' as const,
  resumable: true as const,
  subject: ({ request }: SizesDocument) => `${request.sizes.length} document sizes`,
  method: () =>
    'One user requests documents over HTTP and HTTPS in turn, on persistent connections: that gives their time. Bursts of eight users give their server CPU at load. Every round visits the sizes in random order.',
  phases: () =>
    [
      { name: 'warm-up', title: 'Warming up', text: 'Start the servers and check every document.' },
      { name: 'measuring', title: 'Measuring', text: 'Measure all sizes in every round.' },
    ] satisfies { name: SizesPhase; title: string; text: string }[],
  figures: noSizes,
  follow: followSizes,
  Live: LiveSizesFigure,
  Finished: SizesPage,
  csvRow: 'visit',
};
