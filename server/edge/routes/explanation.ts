import type { Router } from 'express';
import { problem } from '../../../shared/base/problem.ts';
import type { Explanation, Predicted } from '../../../shared/kinds/comparison/explanation.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { ExplainDocument } from '../../../shared/kinds/explain/explain.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import { explainRequestOf, explanationOf } from '../../kinds/comparison/analyse/explain-run.ts';
import { predictCost } from '../../kinds/comparison/analyse/predict-cost.ts';
import { whoAsks } from '../middleware/actor.ts';
import type { AppParts } from './app-parts.ts';
import { serve } from './endpoint.ts';

/** Where the CPU of a run goes, by a measurement of the kind explain that is made for it. */
export function explanation(router: Router, parts: AppParts): void {
  const { measurements } = parts;
  serve(router, 'explainRun', async ({ params: { id } }, response) => {
    const run = await finished<RunDocument>(parts, id, 'comparison');
    // Where the run was measured, if several machines measure.
    const { runner } = run.environment;
    const asked = { ...explainRequestOf(run), ...(runner === undefined ? {} : { labels: runner.labels }) };
    const created = await measurements.create('explain', asked, null, { by: whoAsks(response) });
    response.location(created.url);
    return created;
  });

  serve(router, 'showExplanation', async ({ params: { id }, query }) => {
    return (await readExplanation(parts, id, query.explain)).explanation;
  });
}

/** What the page of a run shows of an explanation. Throws not_explainable. */
export async function readExplanation(
  parts: AppParts,
  runId: string,
  explainId: string,
): Promise<{ explanation: Explanation; document: ExplainDocument }> {
  const run = await finished<RunDocument>(parts, runId, 'comparison');
  const document = await finished<ExplainDocument>(parts, explainId, 'explain');
  return { explanation: explanationOf(run, document, await predictFor(parts, run)), document };
}

/** Older ones are hardly of this machine as it is. */
const mostGrids = 5;

/** By the newest measurement of handshakes that has what the run negotiated. */
async function predictFor({ measurements }: AppParts, run: RunDocument): Promise<Predicted | null> {
  const { summaries } = await measurements.list({
    kinds: ['handshakes'],
    state: 'finished',
    limit: mostGrids,
  });
  for (const { id } of summaries) {
    const { document } = await measurements.document(id);
    const predicted = predictCost(run, document as HandshakesDocument);
    if (predicted !== null) return predicted;
  }
  return null;
}

async function finished<Document>(
  { measurements }: AppParts,
  id: string,
  wanted: 'comparison' | 'explain',
): Promise<Document> {
  const { kind, document, final } = await measurements.document(id);
  if (!final) throw problem('not_explainable', 'The measurement has not ended yet.');
  if (kind !== wanted) throw problem('not_explainable', `That measurement is of the kind ${kind}.`);
  return document as Document;
}
