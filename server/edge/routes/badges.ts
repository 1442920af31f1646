import type { Router } from 'express';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { type Badge, printBadge } from '../../base/text/badge.ts';
import type { AppParts } from './app-parts.ts';
import { besideResult } from './links.ts';
import { foundIn } from './preview.ts';

/** `/r/{id}/badge.svg`: the verdict as a small picture, for a README. It is asked for again each time, as a result may be deleted. */
export function badges({ results }: AppParts): Router {
  return besideResult('/:id/badge.svg', async (id, _request, response) => {
    const summary = await results.summary(id);
    const { verdict, tls } = foundIn(summary);
    const badge: Badge = {
      label: 'TLS Toll',
      message:
        verdict == null ? summary.state : [verdict.sentence, ...(tls === undefined ? [] : [tls])].join(', '),
      tone: verdict == null ? 'plain' : tones[verdict.outcome],
    };
    response.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    response.type('svg').send(printBadge(badge));
  });
}

const tones: Record<VerdictOutcome, Badge['tone']> = {
  overhead: 'costly',
  no_overhead: 'good',
  inconclusive: 'plain',
  not_tested: 'plain',
  refused: 'plain',
};
