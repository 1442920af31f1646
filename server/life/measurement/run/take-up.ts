import { type ProblemError, problem } from '../../../../shared/base/problem.ts';
import { listEvents } from '../../database/events.ts';
import { claimMeasurement, listUnfinished, type MeasurementRecord } from '../../database/measurements.ts';
import type { Given } from '../given.ts';
import { readBlocks } from '../read/read-blocks.ts';
import type { Before, Life } from './life.ts';
import type { Lives } from './lives.ts';

type Parts<House> = Pick<Given<House>, 'database' | 'log' | 'stopSwitch' | 'kindOf' | 'onError'> & {
  /** Whether this server has it already. */
  isHere(id: string): boolean;
  open(record: MeasurementRecord, before: Before): Life<House>;
  enqueue(record: MeasurementRecord, life: Life<House>, stopped: AbortSignal, waitedBefore: boolean): void;
  end(life: Life<House>, state: 'incomplete' | 'interrupted', why: ProblemError): Promise<void>;
};

/** Takes up what the store has of measurements that are not over: what an earlier server left, or another runner. */
export function openTakingUp<House>(parts: Parts<House>): Pick<Lives<House>, 'takeUp' | 'take' | 'endTaken'> {
  const { database, log, stopSwitch, kindOf, isHere, open, enqueue, end, onError } = parts;

  /** With its blocks and its log. Null where it began while those were read. */
  async function revive(stored: MeasurementRecord, taken: boolean): Promise<Life<House> | null> {
    const [blocks, events] = await Promise.all([
      readBlocks(database, kindOf(stored.kind), stored.id),
      listEvents(database, stored.id, 0),
    ]);
    if (isHere(stored.id)) return null;
    const life = open(stored, { blocks, secrets: {}, taken });
    log.open(stored.id, events);
    return life;
  }

  async function takeUpOne(stored: MeasurementRecord, stopped: AbortSignal): Promise<void> {
    // Whoever had what is running, and may not know that it has lost it, writes nothing more.
    const claim = stored.state === 'running' ? await claimMeasurement(database, stored.id) : stored;
    if (claim === null) return;
    const record = { ...stored, fence: claim.fence };
    const life = await revive(record, false);
    if (life === null) return;
    const lost = life.secrets();
    const waited = record.state === 'queued';
    if (waited && lost.length === 0) return enqueue(record, life, stopped, true);
    await end(life, 'interrupted', waited ? secretsLost(lost) : serverStopped());
  }

  return {
    async takeUp(but, stopped = stopSwitch.signal()) {
      for (const record of await listUnfinished(database)) {
        // One that cannot be read stands in nobody's way.
        if (!isHere(record.id) && !but.has(record.id)) await takeUpOne(record, stopped).catch(onError);
      }
    },
    async take(record, stopped = stopSwitch.signal()) {
      const life = await revive(record, true);
      if (life === null) return;
      const lost = life.secrets();
      if (lost.length > 0) return end(life, 'interrupted', secretsLost(lost));
      enqueue(record, life, stopped, true);
    },
    async endTaken(record, state, why, discard = false) {
      const life = await revive(record, true);
      if (life === null) return;
      if (discard) life.discard();
      await end(life, state, why);
    },
  };
}

export function serverStopped(): ProblemError {
  return problem('run_interrupted', 'The server stopped while this measurement was running.');
}

export function secretsLost(names: readonly string[]): ProblemError {
  return problem(
    'secrets_lost',
    `The server restarted while this measurement was waiting, and the values of its secrets (${names.join(', ')}) were kept in memory only.`,
  );
}
