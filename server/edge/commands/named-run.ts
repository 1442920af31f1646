import { idInText } from '../../../shared/base/id-in-text.ts';
import { ProblemError, problem } from '../../../shared/base/problem.ts';
import { type KindName, kindWords } from '../../../shared/measurement/kind-names.ts';
import type { AnyDocument, Kind } from '../../kinds/kind.ts';
import { upgradeDocument } from '../../life/measurement/read/upgrade-document.ts';
import { readJson } from './read-text.ts';

/** A run as a command line names it: a stored one by its ID, or one whose JSON is in a file. */
export type NamedRun = { argument: string } & ({ id: string } | { value: unknown });

/**
 * @param text an ID, a link to a stored run, or the path of a file
 * @param argument that named it, such as `--against`
 * Throws invalid_arguments, file_unreadable.
 */
export function nameRun(text: string, argument: string): NamedRun {
  const id = idInText(text);
  return id !== null ? { argument, id } : { argument, value: readJson(text, argument) };
}

type Readable<Document extends AnyDocument> = Parameters<typeof upgradeDocument<Document>>[0] &
  Pick<Kind<unknown, unknown, unknown, Document, unknown>, 'noun'>;

/**
 * Of any version up to this one.
 * @param readStored the JSON of a stored one
 * Throws invalid_arguments, run_newer, run_not_found, run_deleted.
 */
export async function readRun<Document extends AnyDocument>(
  named: NamedRun,
  kind: Readable<Document>,
  readStored: (id: string) => Promise<string>,
): Promise<Document> {
  const value = 'id' in named ? JSON.parse(await readStored(named.id).catch(blame(named))) : named.value;
  try {
    return upgradeDocument(kind, value);
  } catch (error) {
    const isStored = 'id' in named;
    if (error instanceof ProblemError && (isStored || error.problem.code !== 'run_older'))
      return blame(named)(error);
    throw problem(
      'invalid_arguments',
      `${named.argument}: that is not the JSON of ${kind.noun}. Save one with ${kindWords[kind.name as KindName].verb ?? kind.name} --json.`,
    );
  }
}

/** Says of a problem which of the arguments it is about. */
function blame({ argument }: NamedRun): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ProblemError)) throw error;
    throw problem(error.problem.code, `${argument}: ${error.problem.detail}`);
  };
}
