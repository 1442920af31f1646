import { Router } from 'express';
import { permalinkIdSchema } from '../../../shared/base/units.ts';
import type { VerdictOutcome } from '../../../shared/kinds/comparison/comparison.ts';
import { type Badge, printBadge } from '../../base/text/badge.ts';
import type { AppParts } from './app-parts.ts';
import { refuseMethod } from './endpoint.ts';
import { foundIn } from './preview.ts';

/** `/r/{id}/badge.svg`: the verdict as a small picture, for a README. It is asked for again each time, as a result may be deleted. */
export function badges({ measurements }: AppParts): Router {
  const router = Router();
  router.get('/:id/badge.svg', async ({ params: { id } }, response, next) => {
    if (!permalinkIdSchema.safeParse(id).success) return next('router');
    const { state, verdict, tls } = foundIn(await measurements.summary(id));
    const badge: Badge = {
      label: 'TLS Toll',
      message: verdict == null ? state : [verdict.sentence, ...(tls === undefined ? [] : [tls])].join(', '),
      tone: verdict == null ? 'plain' : tones[verdict.outcome],
    };
    response.set({ 'Cache-Control': 'no-cache', 'Cross-Origin-Resource-Policy': 'cross-origin' });
    response.type('svg').send(printBadge(badge));
  });
  router.all('/:id/badge.svg', refuseMethod(['GET', 'HEAD']));
  return router;
}

const tones: Record<VerdictOutcome, Badge['tone']> = {
  overhead: 'costly',
  no_overhead: 'good',
  inconclusive: 'plain',
  not_tested: 'plain',
  refused: 'plain',
};
