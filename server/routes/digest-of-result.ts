import { type Digest, digestOf, withTitle } from '../../shared/digest/digest.ts';
import { ownTitle } from '../../shared/label.ts';
import type { KindName } from '../../shared/measurement.ts';
import type { RunDocument } from '../../shared/run.ts';
import type { Measurements, Summary } from '../measurement/measurements.ts';
import { foundIn } from './preview.ts';

type Result = Pick<Awaited<ReturnType<Measurements['document']>>, 'kind' | 'document'>;

/**
 * Of any result: of a run with a verdict the top of its page, of others what a list says of them. With the title that somebody
 * gave it.
 */
export function digestOfResult({ kind, document }: Result, summary: Summary): Digest {
  const ofRun = kind === 'comparison' ? digestOf(document as RunDocument) : null;
  const digest = ofRun ?? digestOfLine(kind as KindName, summary);
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

function digestOfLine(kind: KindName, summary: Summary): Digest {
  const { generatedTitle: title, state, verdict, createdAt } = foundIn(summary);
  return {
    headline: verdict?.sentence ?? title,
    evidence: null,
    outcome: verdict?.outcome ?? null,
    compared: null,
    setting: verdict == null ? `${kindWords[kind]}, ${state}` : title,
    measuredAt: createdAt,
  };
}
