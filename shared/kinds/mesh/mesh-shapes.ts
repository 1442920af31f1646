import { lifeEventSchema } from '../../measurement/measurement.ts';
import { meshDocumentSchema, meshRequestSchema } from './mesh.ts';
import { meshOptions } from './options.ts';

/** What it is asked for with, tells and leaves behind; its command line is its table of options. */
export const mesh = {
  request: meshRequestSchema,
  document: meshDocumentSchema,
  event: lifeEventSchema,
  command: {
    options: meshOptions,
    help: 'Measures what a proxy in front of an application costs, and how much of that is TLS: direct, through the proxy, and through the proxy with TLS.',
  },
};
