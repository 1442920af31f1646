import { type Digest, digestOf, withTitle } from '../../shared/digest/digest.ts';
import { ownTitle } from '../../shared/label.ts';
import type { KindName } from '../../shared/measurement.ts';
import type { RunDocument } from '../../shared/run.ts';
import type { Measurements } from '../measurement/measurements.ts';
import type { Summary } from '../measurement/summary.ts';
import { foundIn } from './preview.ts';

type Result = Pick<Awaited<ReturnType<Measurements['document']>>, 'kind' | 'document' | 'sentences'>;

/**
 * Of any result: of a run with a verdict the top of its page, of others what they found. With the title that somebody gave it.
 */
export function digestOfResult({ kind, document, sentences }: Result, summary: Summary): Digest {
  const ofRun = kind === 'comparison' ? digestOf(document as RunDocument) : null;
  const digest = ofRun ?? digestOfLine(kind as KindName, summary, sentences);
  return withTitle(digest, ownTitle(foundIn(summary)));
}

const kindWords: Record<KindName, string> = {
  comparison: 'Paired comparison',
  handshakes: 'Handshakes in the TLS lab',
  primitives: 'Primitives in the TLS lab',
  journey: 'Journey in a browser',
  sizes: 'Sweep of document sizes',
  sweep: 'Sweep of factors',
  distance: 'New connections at a distance',
};

function digestOfLine(kind: KindName, summary: Summary, sentences: Result['sentences']): Digest {
  const { generatedTitle: title, state, verdict, createdAt } = foundIn(summary);
  const [headline, evidence] = state === 'finished' ? sentences() : [];
  return {
    headline: headline?.replace(/\.$/, '') ?? title,
    evidence: evidence?.replace(/\.$/, '') ?? null,
    outcome: verdict?.outcome ?? null,
    compared: null,
    setting: headline === undefined ? `${kindWords[kind]}, ${state}` : title,
    measuredAt: createdAt,
  };
}
