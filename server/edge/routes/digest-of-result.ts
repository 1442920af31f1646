import { ownTitle } from '../../../shared/measurement/annotation.ts';
import type { MeasurementSummary } from '../../../shared/measurement/measurement-summary.ts';
import { type Digest, withTitle } from '../../../shared/words/digest/digest.ts';
import type { Said } from '../../life/measurement/read/said-of.ts';
import { foundIn } from './preview.ts';

/**
 * Of any result: of a run with a verdict the top of its page, of others what they found. With the title that somebody gave it.
 */
export function digestOfResult(result: Said, summary: MeasurementSummary): Digest {
  const digest = result.digest() ?? digestOfLine(result, summary);
  return withTitle(digest, ownTitle(summary));
}

function digestOfLine({ caption, sentences }: Said, summary: MeasurementSummary): Digest {
  const { generatedTitle: title, state, createdAt } = summary;
  const [headline, evidence] = state === 'finished' ? sentences() : [];
  return {
    headline: headline?.replace(/\.$/, '') ?? title,
    evidence: evidence?.replace(/\.$/, '') ?? null,
    outcome: foundIn(summary).verdict?.outcome ?? null,
    compared: null,
    setting: headline === undefined ? `${caption}, ${state}` : title,
    measuredAt: createdAt,
  };
}
