import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { attribute, handshakesRequestOf } from '../../kinds/comparison/analyse/attribute-run.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What of a run's difference its handshakes and bytes explain, by a measurement of the kind handshakes that is made for it. */
export function attribution(router: Router, { measurements }: AppParts): void {
  serve(router, 'measureParts', async ({ params: { id } }, response) => {
    const by = whoAsks(response);
    const asked = handshakesRequestOf(await finishedRun(id));
    const created = await measurements.create('handshakes', asked, null, { by });
    response.location(created.url);
    return created;
  });

  serve(router, 'showAttribution', async ({ params: { id }, query }) => {
    const grid = await finished(query.handshakes, 'handshakes');
    return attribute(await finishedRun(id), grid as HandshakesDocument);
  });

  const finishedRun = async (id: string) => (await finished(id, 'comparison')) as RunDocument;

  async function finished(id: string, wanted: string) {
    const { kind, document, final } = await measurements.document(id);
    if (!final) throw problem('not_attributable', 'The measurement has not ended yet.');
    if (kind !== wanted) throw problem('not_attributable', `That measurement is of the kind ${kind}.`);
    return document;
  }
}
