import type { Environment } from '../../shared/base/environment.ts';
import type { SecretValues } from '../../shared/scenario/scenario.ts';
import type { AnyDocument, Frame, Kind } from '../kinds/kind.ts';
import type { AnyEvent } from '../kinds/told-event.ts';
import { idInTest } from './id-in-test.ts';

type Alone<House> = {
  house: House;
  environment: Environment;
  secrets?: SecretValues;
  signal?: AbortSignal;
  tell?(event: AnyEvent): void;
};

/**
 * Conducts a measurement that nothing is stored of, such as a part of a larger one: the same conductor and the same
 * document as at a permalink. Rejects with what ended it.
 */
export async function conductAlone<Request, Facts, Block, Document extends AnyDocument, House>(
  kind: Kind<Request, Facts, Block, Document, House>,
  asked: object,
  { house, environment, secrets = {}, signal = new AbortController().signal, tell = () => {} }: Alone<House>,
): Promise<Document> {
  const request = kind.requestSchema.parse(asked);
  let { facts } = await kind.prepare(request, secrets, house);
  const blocks: Block[] = [];
  const startedAt = Date.now();
  await kind.conduct(
    { id: idInTest, request, facts, secrets, blocks: [] },
    {
      signal,
      tell,
      async keep(part) {
        if (part.block !== undefined) blocks.push(part.block);
        if (part.facts !== undefined) facts = part.facts;
      },
      async measured() {},
    },
    house,
  );
  const frame: Frame<Request> = {
    ...{ id: '0'.repeat(22), state: 'finished', createdAt: startedAt, startedAt, endedAt: Date.now() },
    ...{ problem: null, environment, request },
  };
  return kind.documentOf(frame, { facts, blocks });
}
