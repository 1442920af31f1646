import type { Router } from 'express';
import { problem } from '../../shared/problem.ts';
import { upgradeDocument } from '../database/upgrade-document.ts';
import { upgradeLabDocument } from '../database/upgrade-lab-document.ts';
import { attribute, labRequestOf } from '../kinds/comparison/analyse/attribute-run.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** What of a run's difference its handshakes and bytes explain, by a measurement of the lab that is made for it. */
export function attribution(router: Router, { control, lab }: AppParts): void {
  serve(router, 'measureParts', async ({ params: { id } }, response) => {
    const created = await lab.create(labRequestOf(await finishedRun(id)), null);
    response.location(created.url);
    return created;
  });

  serve(router, 'showAttribution', async ({ params: { id }, query }) => {
    const { text, final } = await lab.readDocument(query.lab);
    if (!final) throw problem('not_attributable', 'The measurement of the lab is not over yet.');
    const measured = upgradeLabDocument(JSON.parse(text));
    if (measured.kind !== 'handshakes') {
      throw problem('not_attributable', 'That measurement of the lab is not one of handshakes.');
    }
    return attribute(await finishedRun(id), measured);
  });

  async function finishedRun(id: string) {
    const { text, final } = await control.readDocument(id);
    if (!final) throw problem('not_attributable', 'The run is not over yet.');
    return upgradeDocument(JSON.parse(text));
  }
}
