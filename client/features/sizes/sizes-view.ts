import type { SizesPhase } from '../../../shared/size-progress.ts';
import type { SizesDocument } from '../../../shared/size-sweep.ts';
import { followSizes, LiveSizesFigure, noSizes } from './live-sizes.tsx';
import { SizesPage } from './sizes-page.tsx';

/** A document-size sweep on the page of a measurement. */
export const sizesView = {
  noun: 'sweep',
  page: 'r' as const,
  resumable: true as const,
  subject: ({ request }: SizesDocument) => `${request.sizes.length} document sizes`,
  method: () =>
    'One user asks for a document over HTTP and HTTPS in turn, on connections that stay open. Sizes come in random order, round after round.',
  phases: [
    { name: 'warm-up', title: 'Warming up', text: 'Start the servers and check every document.' },
    { name: 'measuring', title: 'Measuring', text: 'Pass over all sizes, round after round.' },
  ] satisfies { name: SizesPhase; title: string; text: string }[],
  figures: noSizes,
  follow: followSizes,
  Live: LiveSizesFigure,
  Finished: SizesPage,
  csvRow: 'visit',
};
