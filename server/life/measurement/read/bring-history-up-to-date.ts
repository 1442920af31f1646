import { ProblemError } from '../../../../shared/base/problem.ts';
import type { AnyKind } from '../../../kinds/kind.ts';
import { listWithoutFigures, storeFiguresOf } from '../../database/history/earlier-documents.ts';
import type { Database } from '../../database/open-database.ts';
import { upgradeDocument } from './upgrade-document.ts';

type Parts<House> = {
  database: Database;
  kinds: readonly AnyKind<House>[];
  onError(error: unknown): void;
};

/**
 * Documents that were stored before today's columns get their rows: upgraded as they are when they are opened. It is done
 * before anything is measured, which it would disturb, and once for each document.
 */
export async function bringHistoryUpToDate<House>({ kinds, ...parts }: Parts<House>): Promise<void> {
  const known = new Map(
    kinds.flatMap((kind) => (kind.figuresOf === undefined ? [] : [[kind.name, kind] as const])),
  );
  for (const { id, kind: name } of await listWithoutFigures(parts.database, [...known.keys()])) {
    const kind = known.get(name);
    if (kind !== undefined) await bringFiguresOf(parts, id, kind);
  }
}

/** The rows of one document are made again. */
export async function bringFiguresOf<House>(
  { database, onError }: Omit<Parts<House>, 'kinds'>,
  id: string,
  kind: AnyKind<House>,
): Promise<void> {
  const { figuresOf } = kind;
  if (figuresOf === undefined) return;
  await storeFiguresOf(database, id, (stored) => figuresOf(upgradeDocument(kind, stored))).catch((error) => {
    // One that cannot be opened has no rows; whoever opens it is told why.
    if (!(error instanceof ProblemError)) onError(error);
  });
}
