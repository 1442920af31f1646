import { type ComparableLab, compareLabs } from '../../shared/lab-changes.ts';
import type { KindName } from '../../shared/measurement.ts';
import { ProblemError, problem } from '../../shared/problem.ts';
import type { ResultChanges, ResultPair } from '../../shared/result-changes.ts';
import type { RunDocument } from '../../shared/run.ts';
import { compareRuns, demandTwo } from '../kinds/comparison/changes/compare-runs.ts';
import type { AnyDocument } from '../measurement/kind.ts';
import type { Measurements } from '../measurement/measurements.ts';

/**
 * What changed between two results, or where two sweeps are laid over each other. Throws run_not_found, run_deleted,
 * run_binned, run_newer, run_unfinished, results_not_comparable; each says of which of the two.
 */
export async function readChanges(
  measurements: Measurements,
  { from, to }: ResultPair,
): Promise<ResultChanges> {
  demandTwo(from, to);
  const one = await open(measurements, from, 'first');
  const other = await open(measurements, to, 'second');
  if (one.kind !== other.kind) {
    throw problem(
      'results_not_comparable',
      `The first result is ${nouns[one.kind].one}, the second ${nouns[other.kind].one}.`,
    );
  }
  if (one.kind === 'comparison') {
    return compareRuns(one.document as RunDocument, other.document as RunDocument);
  }
  if (one.kind === 'sizes' || one.kind === 'sweep') {
    demandFinished(one, 'first');
    demandFinished(other, 'second');
    return { kind: one.kind, url: `/r/${to}?with=${from}` };
  }
  if (one.kind === 'handshakes' || one.kind === 'primitives') {
    demandFinished(one, 'first');
    demandFinished(other, 'second');
    return compareLabs(await titled(measurements, one), await titled(measurements, other));
  }
  throw problem(
    'results_not_comparable',
    `Both results are ${nouns[one.kind].many}, which cannot be compared.`,
  );
}

type Which = 'first' | 'second';
type Opened = { id: string; kind: KindName; document: AnyDocument };

async function open(measurements: Measurements, id: string, which: Which): Promise<Opened> {
  const { kind, document, final } = await measurements.document(id).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
    const { code, detail } = error.problem;
    throw problem(code, `The ${which} result, ${id}, cannot be opened. ${detail}`);
  });
  if (!final) throw problem('run_unfinished', `The ${which} result, ${id}, is ${document.state}.`);
  return { id, kind: kind as KindName, document };
}

/** Its kind is known to be one of the lab that can be compared. */
async function titled(measurements: Measurements, { id, document }: Opened): Promise<ComparableLab> {
  const { title } = await measurements.label(id);
  return { document: document as ComparableLab['document'], title };
}

function demandFinished({ id, document: { state } }: Opened, which: Which): void {
  if (state === 'finished') return;
  throw problem(
    'results_not_comparable',
    `The ${which} result, ${id}, is ${state}. Only finished results can be compared.`,
  );
}

const nouns: Record<KindName, { one: string; many: string }> = {
  comparison: { one: 'a run', many: 'runs' },
  handshakes: { one: 'a handshake measurement', many: 'handshake measurements' },
  primitives: { one: 'a measurement of primitives', many: 'measurements of primitives' },
  journey: { one: 'a journey', many: 'journeys' },
  sizes: { one: 'a sweep of document sizes', many: 'sweeps of document sizes' },
  sweep: { one: 'a factor sweep', many: 'factor sweeps' },
  distance: { one: 'a measurement of distances', many: 'measurements of distances' },
};
