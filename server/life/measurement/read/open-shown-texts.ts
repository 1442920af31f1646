import { createHash } from 'node:crypto';
import type { AnyDocument, AnyKind } from '../../../kinds/kind.ts';
import { packText, unpackText } from '../../database/packed-text.ts';
import type { DocumentText } from '../measurements.ts';

/** What was opened lately. */
const mostKept = 50;

type Whole = DocumentText & { kind: Pick<AnyKind<unknown>, 'shown'>; value: unknown };

/**
 * What pages show of documents. Making it takes 8 ms for a run, so it is made once for all who look: of a stored document for
 * the same bytes, of one that still changes for the same state.
 */
export function openShownTexts(): (whole: Whole) => Promise<DocumentText> {
  const ofStored = new Map<string, Promise<Uint8Array>>();
  const ofLive = new WeakMap<object, string>();

  function packedOnce(bytes: Uint8Array, make: () => Promise<string>): Promise<Uint8Array> {
    const key = createHash('sha256').update(bytes).digest('base64');
    const known = ofStored.get(key);
    if (known !== undefined) return known;
    const made = make().then(packText);
    ofStored.set(key, made);
    // It may succeed the next time.
    made.catch(() => ofStored.delete(key));
    for (const oldest of ofStored.keys()) {
      if (ofStored.size <= mostKept) break;
      ofStored.delete(oldest);
    }
    return made;
  }

  return async ({ kind, value, text, packed, final }) => {
    const { shown } = kind;
    if (shown === undefined) return { text, packed, final };
    const print = (document: unknown) => JSON.stringify(shown(document as AnyDocument));
    if (packed !== null) {
      const small = await packedOnce(packed, async () => print(JSON.parse(await text())));
      return { text: () => unpackText(small), packed: small, final };
    }
    const document = (value ?? JSON.parse(await text())) as object;
    const printed = ofLive.get(document) ?? print(document);
    ofLive.set(document, printed);
    return { text: async () => printed, packed: null, final };
  };
}
