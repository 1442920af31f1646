import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problem } from '../../../shared/base/problem.ts';
import type { SecretValues } from '../../../shared/scenario/scenario.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { listBlocks } from '../database/blocks.ts';
import { listEvents } from '../database/events.ts';
import { claimMeasurement, listUnfinished, type MeasurementRecord } from '../database/measurements.ts';
import type { Database } from '../database/open-database.ts';
import type { EventLog } from './event-log.ts';
import { type Life, openLife } from './life.ts';
import type { Job, MachineQueue } from './machine-queue.ts';
import type { StopSwitch } from './stop-switch.ts';

/** The measurements that are not over, as this server has them: waiting, going on, or ended and not stored yet. */
export type Lives<House> = {
  /** A new one, which goes to the end of the queue; once `stopped` is aborted it ends instead. Throws queue_full, server_closing. */
  begin(record: MeasurementRecord, secrets: SecretValues, stopped: AbortSignal): void;
  of(id: string): Life<House> | undefined;
  ids(): string[];
  /** Takes one out of the queue and ends it; resolves when that is stored. Null when it does not wait. */
  endWaiting(id: string, why: ProblemError): Promise<void> | null;
  /**
   * Takes up what is unfinished in the store and not known here: what was running is interrupted, what was queued is
   * queued again, unless all load was stopped meanwhile. An earlier server leaves such, and a store that failed.
   */
  takeUp(stopped?: AbortSignal): Promise<void>;
  /** Measures one next whose fence is ours, with what was kept of it. */
  take(record: MeasurementRecord, stopped?: AbortSignal): Promise<void>;
  /** Ends one whose fence is ours, with what was kept of it. */
  endTaken(
    record: MeasurementRecord,
    state: 'incomplete' | 'interrupted',
    why: ProblemError,
    discard?: boolean,
  ): Promise<void>;
  /** One that is not known here, as the store has it. It shows how far it is, and does nothing. */
  view(record: MeasurementRecord): Promise<Life<House>>;
  /** Interrupts what is running and waits until that is stored, as long as the store can be waited for. */
  close(): Promise<void>;
};

export type LivesParts<House> = {
  database: Database;
  queue: MachineQueue;
  stopSwitch: StopSwitch;
  log: EventLog;
  kindOf(name: string): AnyKind<House>;
  house: House;
  environment: Environment;
  /** Told when one is over, or another server has it. */
  onOver(id: string): void;
  onFault(error: unknown): void;
};

/** A server that ends waits so long for a store that fails; the next one interrupts what is left. */
const lastCallMs = 5_000;

export function openLives<House>(parts: LivesParts<House>): Lives<House> {
  const { database, queue, stopSwitch, log, kindOf, onOver, onFault } = parts;
  const lives = new Map<string, Life<House>>();
  /** Of those that did not have the machine. */
  const endings = new Set<Promise<void>>();
  const lastCall = new AbortController();
  const lifeParts = { ...parts, lastCall: lastCall.signal, onOver: leave };

  function open(
    record: MeasurementRecord,
    blocks: unknown[],
    secrets: SecretValues,
    taken = false,
  ): Life<House> {
    const life = openLife(kindOf(record.kind), record, { blocks, secrets, taken }, lifeParts);
    lives.set(record.id, life);
    return life;
  }

  /** It is the store's from now on. */
  function leave(id: string): void {
    lives.delete(id);
    onOver(id);
  }

  function forget(id: string): void {
    leave(id);
    log.close(id);
  }

  function jobOf(record: MeasurementRecord, life: Life<House>): Job {
    return {
      id: record.id,
      perform: (signal) => life.perform(signal).finally(() => forget(record.id)),
      onPlace: (queuePosition) => log.append(record, { type: 'state', state: 'queued', queuePosition }),
    };
  }

  /** What was being stored when all load was stopped ends like those that waited. */
  function enqueue(
    record: MeasurementRecord,
    life: Life<House>,
    stopped: AbortSignal,
    waitedBefore?: boolean,
  ): void {
    if (stopped.aborted) void end(life, record.id, 'incomplete', stopped.reason);
    else queue.add(jobOf(record, life), waitedBefore);
  }

  async function takeUpOne(stored: MeasurementRecord, stopped: AbortSignal): Promise<void> {
    // Whoever had what is running, and may not know that it has lost it, writes nothing more.
    const claim = stored.state === 'running' ? await claimMeasurement(database, stored.id) : stored;
    if (claim === null) return;
    const record = { ...stored, fence: claim.fence };
    const life = await revive(record, false);
    if (life === null) return;
    const lost = life.secrets();
    if (record.state === 'queued' && lost.length === 0) return enqueue(record, life, stopped, true);
    await end(
      life,
      record.id,
      'interrupted',
      record.state === 'queued' ? secretsLost(lost) : serverStopped(),
    );
  }

  /** With its blocks and its log. Null where it began while those were read. */
  async function revive(stored: MeasurementRecord, taken: boolean): Promise<Life<House> | null> {
    const [blocks, events] = await Promise.all([readBlocks(stored), listEvents(database, stored.id, 0)]);
    if (lives.has(stored.id)) return null;
    const life = open(stored, blocks, {}, taken);
    log.open(stored.id, events);
    return life;
  }

  async function readBlocks({ id, kind }: MeasurementRecord) {
    const { blockSchema } = kindOf(kind);
    const blocks = await listBlocks(database, id);
    return blocks.map((block) => blockSchema.parse(block));
  }

  function end(
    life: Life<House>,
    id: string,
    state: 'incomplete' | 'interrupted',
    why: ProblemError,
  ): Promise<void> {
    const ending = life.end(state, why).finally(() => {
      endings.delete(ending);
      forget(id);
    });
    endings.add(ending);
    return ending;
  }

  return {
    begin(record, secrets, stopped) {
      // A look at the store that came in between has it already.
      if (lives.has(record.id)) return;
      queue.demandRoom();
      log.open(record.id, []);
      enqueue(record, open(record, [], secrets), stopped);
    },
    of: (id) => lives.get(id),
    ids: () => [...lives.keys()],
    endWaiting(id, why) {
      const life = lives.get(id);
      return life === undefined || !queue.remove(id) ? null : end(life, id, 'incomplete', why);
    },
    async take(record, stopped = stopSwitch.signal()) {
      const life = await revive(record, true);
      if (life === null) return;
      const lost = life.secrets();
      if (lost.length > 0) return end(life, record.id, 'interrupted', secretsLost(lost));
      enqueue(record, life, stopped, true);
    },
    async endTaken(record, state, why, discard = false) {
      const life = await revive(record, true);
      if (life === null) return;
      if (discard) life.discard();
      await end(life, record.id, state, why);
    },
    async view(stored) {
      const before = { blocks: await readBlocks(stored), secrets: {} };
      return openLife(kindOf(stored.kind), stored, before, lifeParts);
    },
    async takeUp(stopped = stopSwitch.signal()) {
      for (const record of await listUnfinished(database)) {
        // One that cannot be read stands in nobody's way.
        if (!lives.has(record.id)) await takeUpOne(record, stopped).catch(onFault);
      }
    },
    async close() {
      const timer = setTimeout(() => lastCall.abort(serverStopped()), lastCallMs);
      await queue.close(serverStopped());
      await Promise.allSettled(endings);
      clearTimeout(timer);
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
