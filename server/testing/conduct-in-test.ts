import type { AnyDocument, Kind } from '../kinds/kind.ts';
import type { AnyEvent } from '../kinds/told-event.ts';
import { idInTest } from './id-in-test.ts';

type Watching = { signal?: AbortSignal; tell?: (event: AnyEvent) => void; keep?: (facts: unknown) => void };

/** Conducts a measurement of a kind that needs no house, and returns what it kept, and what ended it. */
export async function conductInTest<Request, Facts, Document extends AnyDocument>(
  kind: Kind<Request, Facts, never, Document, unknown>,
  asked: object,
  { signal = new AbortController().signal, tell = () => {}, keep = () => {} }: Watching = {},
): Promise<{ facts: Facts; error: unknown }> {
  const request = kind.requestSchema.parse(asked);
  let { facts } = await kind.prepare(request, {}, null);
  const watch = {
    signal,
    tell,
    async keep(part: { facts?: Facts }) {
      if (part.facts === undefined) return;
      facts = part.facts;
      keep(facts);
    },
    async measured() {},
  };
  const error = await kind
    .conduct({ id: idInTest, request, facts, secrets: {}, blocks: [] }, watch, null)
    .then(
      () => null,
      (reason: unknown) => reason,
    );
  return { facts, error };
}
