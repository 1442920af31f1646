import { applicationName, type MeshDocument, proxiesInWords } from '../../../../shared/kinds/mesh/mesh.ts';
import { MeshResultPage } from './mesh-result-page.tsx';

export const meshView = {
  noun: 'measurement',
  page: 'l' as const,
  subject: ({ request }: MeshDocument) =>
    `${proxiesInWords(request)} in front of ${applicationName(request)}`,
  method: () =>
    'Every launch starts everything anew. Bursts of requests go to each path in random order, then one user goes from path to path.',
  phases: () => [
    {
      name: 'preparing',
      title: 'Preparing',
      text: 'Start the application and the proxies, and compare their content.',
    },
    { name: 'measuring', title: 'Measuring', text: 'Warm up each launch and measure it.' },
  ],
  figures: null,
  follow: () => null,
  Live: () => null,
  Finished: MeshResultPage,
  csvRow: 'path in a launch',
};
