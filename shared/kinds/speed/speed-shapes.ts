import { cellsEventsSchema } from '../../measurement/cells-progress.ts';
import { speedOptions } from './options.ts';
import { speedDocumentSchema, speedRequestSchema } from './speed.ts';

/** What it is asked for with, tells and leaves behind; its command line is its table of options. */
export const speed = {
  request: speedRequestSchema,
  document: speedDocumentSchema,
  event: cellsEventsSchema,
  command: {
    options: speedOptions,
    help: 'Measures the primitives of TLS: digests and ciphers at six sizes, signatures, key agreement and key encapsulation. Where the openssl program is installed, openssl speed measures the same primitives alternately.',
  },
};
