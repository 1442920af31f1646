import type { BrowserFigures } from '../../../shared/kinds/visits/visits.ts';

/** What a journey compares. A browser speaks HTTP/2 where the server offers it with TLS; the notes say what was spoken. */
export const journeySides: BrowserFigures['sides'] = {
  baseline: { transport: 'http' },
  comparison: { transport: 'https' },
};
