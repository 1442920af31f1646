import { ownTitle } from '../../../shared/measurement/annotation.ts';
import { type Digest, withTitle } from '../../../shared/words/digest/digest.ts';
import type { Summary } from '../../life/measurement/list/summary.ts';
import type { Said } from '../../life/measurement/read/said-of.ts';
import { foundIn } from './preview.ts';

/**
 * Of any result: of a run with a verdict the top of its page, of others what they found. With the title that somebody gave it.
 */
export function digestOfResult(result: Said, summary: Summary): Digest {
  const digest = result.digest() ?? digestOfLine(result, summary);
  return withTitle(digest, ownTitle(foundIn(summary)));
}

function digestOfLine({ caption, sentences }: Said, summary: Summary): Digest {
  const { generatedTitle: title, state, verdict, createdAt } = foundIn(summary);
  const [headline, evidence] = state === 'finished' ? sentences() : [];
  return {
    headline: headline?.replace(/\.$/, '') ?? title,
    evidence: evidence?.replace(/\.$/, '') ?? null,
    outcome: verdict?.outcome ?? null,
    compared: null,
    setting: headline === undefined ? `${caption}, ${state}` : title,
    measuredAt: createdAt,
  };
}
