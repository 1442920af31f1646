import { linkWord } from '../../../../shared/kinds/comparison/link-text.ts';
import type { DistanceDocument } from '../../../../shared/kinds/distance/distance.ts';
import type { MeasuringPhase } from '../../../../shared/measurement/cells-progress.ts';
import { DistancePage } from './distance-page.tsx';

export const distanceView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: ({ request }: DistanceDocument) =>
    `new connections over ${request.links.map(linkWord).join(', ')}`,
  method: () => 'Every round opens each kind of connection over each link in random order.',
  phases: () =>
    [
      { name: 'preparing', title: 'Preparing', text: 'Start the servers, the client, and the links.' },
      { name: 'measuring', title: 'Measuring', text: 'Time new connections up to the first byte.' },
    ] satisfies { name: MeasuringPhase; title: string; text: string }[],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: DistancePage,
  csvRow: 'kind of connection on a link',
};
