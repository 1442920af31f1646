import type { ServersDocument } from '../../../shared/kinds/servers/servers-result.ts';
import { followVisits, LiveVisitTable, noVisits } from './live-visits.tsx';
import { ServersPage } from './servers-page.tsx';

/** A sweep over servers on the page of a measurement. */
export const serversView = {
  noun: 'sweep',
  page: 'r' as const,
  resumable: true as const,
  subject: ({ cells }: ServersDocument) => `${cells.length} cells`,
  method: () =>
    'Every round starts new servers and visits each cell once, in random order. A visit compares HTTP, HTTPS, and an HTTP twin in short bursts.',
  phases: () => [{ name: 'measuring', title: 'Measuring', text: 'Visit every cell once a round.' }],
  figures: noVisits,
  follow: followVisits,
  Live: LiveVisitTable,
  Finished: ServersPage,
  csvRow: 'cell',
  rawRow: 'arm of a visit',
};
