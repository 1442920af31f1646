import type { MeasuredEvent } from '../../../../shared/measurement/measurement.ts';
import { letGo } from '../../../base/process/let-go.ts';
import type { Part } from '../../../kinds/kind.ts';
import type { AnyEvent } from '../../../kinds/told-event.ts';
import { storeBlock } from '../../database/blocks.ts';
import { storeFacts, storeMeasured, storeStart } from '../../database/measurements.ts';
import { signal as signalOthers } from '../../database/signal.ts';
import type { OneLife } from './life-parts.ts';
import { withPatience } from './with-patience.ts';

/** A part that the store will not take for so long ends the measurement; its end is stored when the store can. */
const patienceWithPartsMs = 60_000;

/** Takes it, conducts it, and stores each part when it is made. Rejects with what ended it early. */
export async function runLife<House>(life: OneLife<House>, signal: AbortSignal): Promise<void> {
  const { kind, house, secrets, mask, claim, live, log, onProblem } = life;
  await withPatience(() => begin(life), { signal, onProblem });
  log.append(claim.current(), { type: 'state', state: 'running', queuePosition: null });
  let isLetGo = false;
  const conduct = () =>
    kind.conduct(
      { ...live.kept(), id: live.frame.id, request: live.frame.request, secrets },
      {
        signal,
        tell: (event) => {
          if (!isLetGo) tell(life, mask(event));
        },
        keep: async (part) => {
          if (!isLetGo) await keep(life, part, signal);
        },
        measured: async () => {
          if (!isLetGo) await tellMeasured(life);
        },
      },
      house,
    );
  try {
    await letGo(conduct, signal);
  } finally {
    isLetGo = true;
  }
}

async function tellMeasured<House>({ kind, claim, live, log, database }: OneLife<House>): Promise<void> {
  const endedAt = live.now();
  live.change({ endedAt });
  const document = live.document();
  const event: MeasuredEvent = {
    type: 'measured',
    state: document.state,
    sentences: document.state === 'finished' ? kind.sentences(document) : [],
  };
  log.append(claim.current(), event);
  // If this fails, the end stores it.
  await storeMeasured(database, claim.current(), endedAt).catch(() => {});
}

/** Progress is not stored, because a commit per second would disturb the measurement. */
function tell<House>({ id, claim, log, database }: OneLife<House>, event: AnyEvent): void {
  if (event.type !== 'progress') {
    log.append(claim.current(), event);
    return;
  }
  log.mention(id, event);
  // A lost signal doesn't matter: the next one comes in a second.
  signalOthers(database, database.queries, { about: 'progress', id, text: JSON.stringify(event) }).catch(
    () => {},
  );
}

async function begin<House>({ claim, live, database, environment }: OneLife<House>): Promise<void> {
  await claim.take();
  const startedAt = live.now();
  live.change({ state: 'running', startedAt, environment });
  await storeStart(database, claim.current(), { startedAt, environment });
}

async function keep<House>(
  { kind, mask, claim, live, database, onProblem }: OneLife<House>,
  { facts, block }: Part<unknown, unknown>,
  signal: AbortSignal,
): Promise<void> {
  // What comes after the end was decided is stored with it.
  const patience = { signal, limitMs: patienceWithPartsMs, onProblem };
  if (block !== undefined) {
    const masked = kind.maskBlock?.(block, mask) ?? mask(block);
    const index = live.add(masked);
    const place = kind.placeOf?.(masked) ?? null;
    if (!signal.aborted) {
      await withPatience(() => storeBlock(database, claim.current(), index, masked, place), patience);
    }
  }
  if (facts !== undefined) {
    live.note(mask(facts));
    if (!signal.aborted) {
      await withPatience(() => storeFacts(database, claim.current(), live.facts()), patience);
    }
  }
}
