import { z } from 'zod';
import { permalinkIdSchema } from '../base/units.ts';
import { resultChangesSchema, resultPairSchema } from '../kinds/comparison/result-changes.ts';
import { cellDocumentSchema } from '../kinds/servers/servers-result.ts';
import { measurementDocumentSchema } from '../measurement/kinds.ts';
import { shownMeasurementSchema } from '../measurement/shown-measurement.ts';
import { type Endpoint, idParams } from './endpoint.ts';

/** What measurements leave behind. */

export const documentEndpoints = {
  showMeasurement: {
    method: 'get',
    path: '/measurements/:id',
    access: 'link',
    summary: 'The document of a measurement, as at its permalink',
    params: idParams,
    response: measurementDocumentSchema,
  },
  showPage: {
    method: 'get',
    path: '/measurements/:id/page',
    access: 'link',
    summary:
      'What the page of a measurement shows of its document: of a run, without histograms and single slots',
    params: idParams,
    response: shownMeasurementSchema,
  },
  showChanges: {
    method: 'get',
    path: '/changes/:pair',
    access: 'link',
    summary:
      'What changed from one finished run to another, as at /c/{from}..{to}; of two sweeps, their page',
    params: z.strictObject({ pair: resultPairSchema }),
    response: resultChangesSchema,
  },
  showCell: {
    method: 'get',
    path: '/measurements/:id/cells/:cell',
    access: 'link',
    summary:
      'One cell of a sweep over servers: its figures, its visits, and what ab would have printed of it',
    params: z.strictObject({ id: permalinkIdSchema, cell: z.string().max(200) }),
    response: cellDocumentSchema,
  },
} as const satisfies Record<string, Endpoint>;
