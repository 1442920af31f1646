import type { Environment } from '../../../../shared/base/environment.ts';
import { problem } from '../../../../shared/base/problem.ts';
import { isOver } from '../../../../shared/measurement/measurement.ts';
import type { AnyDocument, AnyKind } from '../../../kinds/kind.ts';
import { readDocument } from '../../database/documents.ts';
import { findMeasurement, findState } from '../../database/measurements.ts';
import type { Given } from '../given.ts';
import { findKnown } from '../list/find-known.ts';
import type { DocumentText, KeptOf } from '../measurements.ts';
import { frameOf } from '../run/frame-of.ts';
import { readBlocks } from './read-blocks.ts';
import { upgradeDocument } from './upgrade-document.ts';

export type Readable<House> = Pick<Given<House>, 'database' | 'lives' | 'kindOf'> & {
  /** Of what has not begun. */
  environment: Environment;
};

/** `value` is the document where it is parsed already. */
type Whole<House> = DocumentText & { kind: AnyKind<House>; value: unknown };

/** The document as it is now: of one that is over as it was stored, upgraded; of any other made of what was kept. */
export async function readNow<House>(
  { database, lives, kindOf, environment }: Readable<House>,
  id: string,
): Promise<Whole<House>> {
  const life = lives.of(id);
  if (life !== undefined) {
    return {
      kind: life.kind,
      value: life.document(),
      text: async () => life.text(),
      packed: null,
      final: false,
    };
  }
  const record = await findKnown(database, id, () => findState(database, id));
  const kind = kindOf(record.kind);
  if (!isOver(record.state)) {
    const begun = await findKnown(database, id, () => findMeasurement(database, id));
    const frame = frameOf(begun, kind.requestSchema.parse(begun.request), environment);
    const facts = kind.factsSchema.parse(begun.facts);
    const value = kind.documentOf(frame, { facts, blocks: await readBlocks(database, kind, id) });
    return { kind, value, text: async () => JSON.stringify(value), packed: null, final: false };
  }
  const stored = await readDocument(database, id);
  if (stored === null) throw problem('database_damaged', `The document of ${id} is missing.`);
  if (stored.schemaVersion === kind.documentVersion) {
    return { kind, value: null, text: stored.unpack, packed: stored.packed, final: true };
  }
  const value = upgradeDocument(kind, JSON.parse(await stored.unpack()));
  return { kind, value, text: async () => JSON.stringify(value), packed: null, final: true };
}

/** The same, parsed. */
export async function parseNow<House>(
  readable: Readable<House>,
  id: string,
): Promise<{ kind: AnyKind<House>; document: AnyDocument; final: boolean }> {
  const { kind, value, text, final } = await readNow(readable, id);
  const parsed = value === null ? kind.documentSchema.safeParse(JSON.parse(await text())) : null;
  if (parsed?.success === false) throw problem('database_damaged', `The document of ${id} is not valid.`);
  return { kind, document: (value ?? parsed?.data) as AnyDocument, final };
}

/** What was noted of it, and how to read what was kept, now or when it ended. */
export async function readKept<House>(
  { database, lives, kindOf, environment }: Readable<House>,
  id: string,
): Promise<KeptOf> {
  const life = lives.of(id);
  if (life !== undefined) {
    const { frame, kept } = life.kept();
    const blocks = async (place: number) =>
      kept.blocks.filter((block) => life.kind.placeOf?.(block) === place);
    return { kind: life.kind.name, frame, facts: kept.facts, blocks };
  }
  const record = await findKnown(database, id, () => findMeasurement(database, id));
  const { requestSchema, factsSchema, blockSchema, placeOf } = kindOf(record.kind);
  return {
    kind: record.kind,
    frame: frameOf(record, requestSchema.parse(record.request), environment),
    facts: factsSchema.parse(record.facts),
    blocks: async (place) => {
      const blocks = await readBlocks(database, { blockSchema }, id, place);
      return blocks.filter((block) => placeOf?.(block) === place);
    },
  };
}
