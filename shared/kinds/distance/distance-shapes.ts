import { lifeEventSchema } from '../../measurement/measurement.ts';
import { distanceDocumentSchema, distanceRequestSchema } from './distance.ts';
import { distanceOptions } from './options.ts';

/** What it is asked for with, tells and leaves behind; its command line is its table of options. */
export const distance = {
  request: distanceRequestSchema,
  document: distanceDocumentSchema,
  event: lifeEventSchema,
  command: {
    options: distanceOptions,
    help: 'Measures what a new connection costs at a distance: TCP, TLS 1.3 and TLS 1.2, full and resumed, over links of several round trips.',
  },
};
