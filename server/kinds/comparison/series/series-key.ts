import type { RunRequest } from '../../../../shared/kinds/comparison/run-request.ts';
import type { Scenario } from '../../../../shared/scenario/scenario.ts';
import { contentOf } from '../changes/scenario-differences.ts';

/**
 * What runs of a series have in common: all that was asked but the seed, and what was sent. A target that was started anew
 * is the same target, whatever its process and its certificate.
 */
export function seriesKey({ kind, seed, scenario, target, ...asked }: RunRequest, sent: Scenario): string {
  const { pid, ca, trust, ...lasting } = target.kind === 'origins' ? target : { ...target, ...none };
  return JSON.stringify([lasting, asked, contentOf(sent)]);
}

const none = { pid: undefined, ca: undefined, trust: undefined };
