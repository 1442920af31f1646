import { ProblemError, problem } from '../../../../shared/base/problem.ts';
import type { ResultPair } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { AnyDocument, AnyKind, Changes, Titled } from '../../../kinds/kind.ts';

type Stored<House> = {
  document(id: string): Promise<{ kind: AnyKind<House>; document: AnyDocument; final: boolean }>;
  titleOf(id: string): Promise<string>;
};

/**
 * What changed between two finished results of one kind. Throws run_not_found, run_deleted, run_binned, run_newer,
 * run_unfinished, results_not_comparable; each says of which of the two.
 */
export async function readChanges<House>(stored: Stored<House>, { from, to }: ResultPair): Promise<Changes> {
  if (from === to) throw problem('results_not_comparable', 'Both are the same result.');
  const one = await open(stored, from, 'first');
  const other = await open(stored, to, 'second');
  if (one.kind !== other.kind) {
    throw problem(
      'results_not_comparable',
      `The first result is ${one.kind.noun}, the second ${other.kind.noun}.`,
    );
  }
  return one.kind.changes(one, other);
}

type Which = 'first' | 'second';

async function open<House>(
  stored: Stored<House>,
  id: string,
  which: Which,
): Promise<Titled<AnyDocument> & { kind: AnyKind<House> }> {
  const { kind, document, final } = await stored.document(id).catch((error: unknown) => {
    if (!(error instanceof ProblemError)) throw error;
    const { code, detail } = error.problem;
    throw problem(code, `The ${which} result, ${id}, cannot be opened. ${detail}`);
  });
  const { state } = document;
  if (!final) throw problem('run_unfinished', `The ${which} result, ${id}, is ${state}.`);
  if (state !== 'finished') {
    const fact = `The ${which} result, ${id}, is ${state}. Only finished results can be compared.`;
    throw problem('results_not_comparable', fact);
  }
  return { kind, document, title: await stored.titleOf(id) };
}
