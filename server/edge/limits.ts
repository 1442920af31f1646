import type { Limits } from '../../shared/api/server-endpoints.ts';
import { loadOptions } from '../../shared/kinds/comparison/options.ts';
import { harLimitBytes } from '../intake/import/har/har-limit.ts';
import { presetCards } from '../kinds/comparison/plan/presets.ts';
import { queueLimit } from '../life/measurement/queue/machine-queue.ts';

/** What a client may ask for, and how much of it. */
export const limits: Omit<Limits, 'runners' | 'measures'> = {
  bodyBytes: 2_000_000,
  importBytes: harLimitBytes,
  queueLength: queueLimit,
  connections: loadOptions.connections.max,
  stepsPerScenario: 50,
  requestsPerMinute: 1200,
  permittedTargets: [
    'the built-in storefront',
    'servers of this machine, started for the run',
    'loopback addresses (127.0.0.0/8, ::1)',
    'hosts that were allowed (/targets)',
  ],
  presets: presetCards,
};
