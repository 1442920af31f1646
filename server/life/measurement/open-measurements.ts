import type { Environment } from '../../../shared/base/environment.ts';
import { type ProblemError, problemOfField } from '../../../shared/base/problem.ts';
import type { AnyKind } from '../../kinds/kind.ts';
import { storeEvents } from '../database/events.ts';
import { createBatch } from './create/create-batch.ts';
import { createMeasurement } from './create/create-measurement.ts';
import { openDeleteTokens } from './create/delete-tokens.ts';
import { cancelMeasurement, stopAll } from './end/end-early.ts';
import type { Given } from './given.ts';
import { listRunners } from './list/list-runners.ts';
import { openBatches } from './list/open-batches.ts';
import { openBin } from './list/open-bin.ts';
import { openList } from './list/open-list.ts';
import { openSummaries } from './list/open-summaries.ts';
import { lookAgain } from './look-again.ts';
import type { Measurements } from './measurements.ts';
import { openDispatch, runnerOf, type Self } from './queue/open-dispatch.ts';
import { resumeMeasurement } from './queue/resume-measurement.ts';
import { bringHistoryUpToDate } from './read/bring-history-up-to-date.ts';
import { openReading } from './read/open-reading.ts';
import { openEventLog } from './run/event-log.ts';
import { openLives } from './run/open-lives.ts';

type MeasurementsOptions<House> = Pick<
  Given<House>,
  'database' | 'queue' | 'stopSwitch' | 'house' | 'noteLoad' | 'onError'
> & {
  kinds: readonly AnyKind<House>[];
  /** This machine. */
  environment: Environment;
  /** What this process is on a database that several share: a runner, or a dashboard that leaves measuring to others. */
  self?: Self | undefined;
  onProblem?(failure: ProblemError): void;
};

/** How often the store is looked through for what a failure of its own has left behind, and for what is to leave the bin. */
const lookEveryMs = 30_000;

/**
 * What a measurement goes through, in this order: it is created, waits, runs as a life, ends, and is found in the list. Takes up
 * where an earlier server stopped: what was running is interrupted, what was queued is queued again.
 */
export async function openMeasurements<House>({
  environment: machine,
  self,
  onProblem,
  ...options
}: MeasurementsOptions<House>): Promise<Measurements> {
  const { database, queue, kinds, onError } = options;
  const runner = runnerOf(database, self);
  const environment = runner === null ? machine : { ...machine, runner };
  const kindOf = (name: string) => findKind(kinds, name);
  const deleteTokens = openDeleteTokens(database);
  const log = openEventLog((claim, events) => storeEvents(database, claim, events), onError);
  const given = { ...options, environment, kindOf, deleteTokens, log };
  const lives = openLives({ ...given, onOver: deleteTokens.forget });
  const { dispatch, runner: measuring } = openDispatch({ ...given, lives, self, machine, onProblem });
  const summaries = openSummaries({ ...given, placesOf: dispatch.placesOf });
  const list = openList({ ...given, summaries });
  const isAlive = (id: string) => lives.of(id) !== undefined;
  const { emptyBin, ...bin } = openBin({ ...given, summaries, isAlive });
  const reading = openReading({ ...given, lives, list });
  const parts = { ...given, lives, dispatch, summaries };

  // A store that fails is asked again later.
  const looking = lookAgain(
    lookEveryMs,
    () => {},
    async () => {
      await dispatch.takeUp();
      await emptyBin(Date.now());
      await deleteTokens.forgetOver();
    },
  );

  await bringHistoryUpToDate({ database, kinds, onError });
  await looking.now();

  return {
    create: (...asked) => createMeasurement(parts, ...asked),
    batches: {
      ...openBatches(parts),
      create: (...asked) => createBatch(parts, ...asked),
    },
    cancel: (...asked) => cancelMeasurement(parts, ...asked),
    stop: () => stopAll(parts),
    resume: (...asked) => resumeMeasurement(parts, ...asked),
    async summary(id) {
      const life = lives.of(id);
      return life === undefined ? summaries.storedSummary(id) : summaries.liveSummary(life.line());
    },
    ...list,
    ...bin,
    ...reading,
    mirror: dispatch.mirror,
    follow: dispatch.follow,
    status: () => queue.status(),
    runners: () => listRunners(dispatch, summaries.storedSummary),
    demandRunner: dispatch.demandRunner,
    runner: measuring,
    async close() {
      await looking.stop();
      await measuring?.close();
      await lives.close();
      await measuring?.leave();
      await dispatch.close();
    },
  };
}

/** Throws invalid_request. */
function findKind<House>(kinds: readonly AnyKind<House>[], name: string): AnyKind<House> {
  const kind = kinds.find((each) => each.name === name);
  if (kind !== undefined) return kind;
  const message = `kind must be one of ${kinds.map((each) => each.name).join(', ')}`;
  throw problemOfField('invalid_request', 'kind', message, 'The body');
}
