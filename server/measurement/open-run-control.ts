import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { apiPrefix, type CreatedRun, type CreateRun } from '../../shared/api.ts';
import type { Environment } from '../../shared/environment.ts';
import { type ProblemCode, ProblemError, problem } from '../../shared/problem.ts';
import { type RunDocument, type RunState, runSchemaVersion } from '../../shared/run.ts';
import type { SecretValues } from '../../shared/scenario.ts';
import { factsOf } from '../../shared/target-facts.ts';
import { listBlocks } from '../database/blocks.ts';
import { readDocument, storeDocument } from '../database/documents.ts';
import { findRunSummary, type StoredSummary } from '../database/list-runs.ts';
import type { Database } from '../database/open-database.ts';
import {
  buryRun,
  findRun,
  findRunByIdempotencyKey,
  insertRun,
  isBuried,
  listUnfinishedRuns,
  type RunRecord,
  updateRun,
} from '../database/runs.ts';
import { upgradeDocument } from '../database/upgrade-document.ts';
import { documentOf } from '../kinds/comparison/analyse/document.ts';
import { conduct } from '../kinds/comparison/conduct/conduct.ts';
import { RunUnderWay } from '../kinds/comparison/conduct/run-under-way.ts';
import { planFor } from '../kinds/comparison/plan/presets.ts';
import { runnableScenario } from '../library/runnable-scenario.ts';
import { fillSecrets, secretsOf } from '../scenario/secrets.ts';
import type { RunHouse } from '../target/open-target.ts';
import { demandPermitted } from '../target/open-target.ts';
import { checkOnce, dryRunOnce } from '../target/preflight/check-once.ts';
import { maskSecrets } from '../traffic/mask-secrets.ts';
import { newDeleteToken } from './delete-token.ts';
import type { RunEventLog } from './event-log.ts';
import type { Job, MachineQueue } from './machine-queue.ts';
import { newPermalinkId } from './permalink-id.ts';
import type { RunControl } from './run-control.ts';
import { takeMachine } from './take-machine.ts';

export type RunControlOptions = {
  database: Database;
  events: RunEventLog;
  house: RunHouse;
  queue: MachineQueue;
  /** This machine. */
  here: Environment;
  /** Told when an event cannot be stored. */
  onFault(error: unknown): void;
};

/** Takes up where an earlier server stopped: what was running is interrupted, what was queued is queued again. */
export async function openRunControl({
  database,
  events,
  house,
  queue,
  here,
  onFault,
}: RunControlOptions): Promise<RunControl> {
  /** Runs that were told to stop, and what is to become of their blocks. */
  const stops = new Map<string, { keep: boolean }>();
  /** Of runs that wait or go on; nothing else keeps them. */
  const secrets = new Map<string, SecretValues>();

  for (const record of await listUnfinishedRuns(database)) {
    const lost = secretsOf(record.scenario);
    if (record.state === 'queued' && lost.length === 0) queue.add(jobOf(record.id), true);
    else if (record.state === 'queued') await finish(record.id, 'interrupted', secretsLost(lost));
    else
      await finish(
        record.id,
        'interrupted',
        problem('run_interrupted', 'The server stopped while this run was going on.'),
      );
  }

  function jobOf(id: string): Job {
    return {
      id,
      perform: (signal) => perform(id, signal),
      onPlace: (queuePosition) => {
        events.append(id, { type: 'state', state: 'queued', queuePosition }).catch(onFault);
      },
    };
  }

  async function perform(id: string, signal: AbortSignal): Promise<void> {
    const record = await findRun(database, id);
    if (record === null) return;
    const startedAt = Date.now();
    await updateRun(database, id, { state: 'running', startedAt, environment: here });
    await events.append(id, { type: 'state', state: 'running', queuePosition: null });
    const values = secrets.get(id) ?? {};
    const scenario = fillSecrets(record.scenario, values);
    const run = new RunUnderWay({ ...record, scenario }, database, events, maskSecrets(values));
    try {
      await conduct(run, house, signal);
      await finish(id, 'finished', null);
    } catch (error) {
      if (stops.get(id)?.keep === false) await bury(id);
      else await finish(id, ...endingOf(signal.aborted ? signal.reason : error));
    } finally {
      stops.delete(id);
    }
  }

  /**
   * Stores the document, then the end, then closes the log: a crash in between leaves a run that the next start ends
   * again. A measurement that the analysis refuses makes the run a refused one.
   */
  async function finish(id: string, state: RunState, error: ProblemError | null): Promise<void> {
    const record = await findRun(database, id);
    if (record === null) return;
    const endedAt = Date.now();
    const mask = maskSecrets(secrets.get(id) ?? {});
    secrets.delete(id);
    const ended = { ...record, state, endedAt, problem: mask(error?.problem ?? null) };
    const document = documentOf(ended, await listBlocks(database, id), here);
    await storeDocument(database, 'documents', id, runSchemaVersion, JSON.stringify(document));
    const { verdict, problem: why, warnings } = document;
    await updateRun(database, id, { state: document.state, endedAt, verdict, problem: why, warnings });
    await events.append(id, { type: 'end', state: document.state });
  }

  async function bury(id: string): Promise<void> {
    secrets.delete(id);
    await events.append(id, { type: 'end', state: 'incomplete' });
    await buryRun(database, id, Date.now());
  }

  async function create(asked: CreateRun, idempotencyKey: string | null): Promise<CreatedRun> {
    const { secrets: values, ...request } = asked;
    const { scenario, revisionId } = await runnableScenario(database, request.scenario, values);
    const requestHash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
    const earlier = idempotencyKey === null ? null : await findRunByIdempotencyKey(database, idempotencyKey);
    if (earlier !== null) return replay(earlier, requestHash, idempotencyKey ?? '');
    queue.demandRoom();
    await demandPermitted(request);
    const id = newPermalinkId();
    const { token, hash } = newDeleteToken(id, idempotencyKey);
    const plan = planFor(request, request.seed ?? randomInt(2 ** 31), {
      cores: availableParallelism(),
      thinkTimesMs: scenario.steps.map((step) => step.thinkTimeMs),
    });
    const createdAt = Date.now();
    const row = {
      id,
      createdAt,
      request,
      scenario,
      plan,
      deleteTokenHash: hash,
      idempotencyKey,
      requestHash,
      revisionId,
    };
    if (!(await insertRun(database, row))) return create(asked, idempotencyKey);
    secrets.set(id, values);
    queue.add(jobOf(id));
    return created(id, token);
  }

  /** The same key again: the run that it made, and a delete token only to whoever holds it already. */
  function replay(record: RunRecord, requestHash: string, key: string): CreatedRun {
    if (record.requestHash !== requestHash) {
      throw problem('idempotency_conflict', 'This Idempotency-Key was used with another request before.');
    }
    return created(record.id, newDeleteToken(record.id, key).token);
  }

  return {
    create,
    async preflight({ secrets: values, ...request }) {
      const { scenario } = await runnableScenario(database, request.scenario, values);
      return maskSecrets(values)(await checkOnce(request, fillSecrets(scenario, values), house));
    },
    async dryRun({ secrets: values, ...request }) {
      const { scenario } = await runnableScenario(database, request.scenario, values);
      const report = await takeMachine(queue, newPermalinkId(), 'A dry run', (signal) =>
        dryRunOnce(request, fillSecrets(scenario, values), house, signal),
      );
      return maskSecrets(values)(report);
    },

    async cancel(id, keep) {
      const record = await known(id);
      if (queue.remove(id)) {
        if (keep)
          await finish(id, 'incomplete', problem('run_cancelled', 'The run was cancelled before it began.'));
        else await bury(id);
      } else {
        stops.set(id, { keep });
        if (
          !queue.abort(
            id,
            problem('run_cancelled', 'The run was cancelled; what was measured until then is kept.'),
          )
        ) {
          stops.delete(id);
          throw problem('run_over', `The run is ${record.state} already.`);
        }
      }
      return { ...((await findRunSummary(database, id)) ?? discarded(record)), queuePosition: null };
    },

    async readDocument(id) {
      const stored = await readDocument(database, 'documents', id);
      if (stored !== null) {
        if (stored.schemaVersion === runSchemaVersion) return { text: stored.text, final: true };
        return { text: JSON.stringify(upgradeDocument(JSON.parse(stored.text))), final: true };
      }
      const record = await known(id);
      return { text: JSON.stringify(await provisional(record)), final: false };
    },

    queuePosition: (id) => queue.placeOf(id),
    status: () => queue.status(),
  };

  async function provisional(record: RunRecord): Promise<RunDocument> {
    return documentOf(record, await listBlocks(database, record.id), here);
  }

  async function known(id: string): Promise<RunRecord> {
    const record = await findRun(database, id);
    if (record !== null) return record;
    if (await isBuried(database, id)) throw problem('run_deleted', 'This run was deleted.');
    throw problem('run_not_found', `No run has the id ${id}.`);
  }
}

/** The last word on a run that is gone from the database. */
function discarded(record: RunRecord): StoredSummary {
  const { id, createdAt, request, scenario } = record;
  const { target, preset, transports } = request;
  return {
    id,
    state: 'incomplete',
    createdAt,
    endedAt: Date.now(),
    scenario: scenario.name,
    target: factsOf(target).name,
    preset,
    transports,
    verdict: null,
    problem: null,
  };
}

function secretsLost(names: readonly string[]): ProblemError {
  return problem(
    'secrets_lost',
    `The server was restarted while this run was waiting, and the values of its secrets (${names.join(', ')}) were kept in memory only.`,
  );
}

function created(id: string, deleteToken: string): CreatedRun {
  return { id, url: `/r/${id}`, eventsUrl: `${apiPrefix}/runs/${id}/events`, deleteToken };
}

const endings: Partial<Record<ProblemCode, RunState>> = {
  run_cancelled: 'incomplete',
  run_interrupted: 'interrupted',
  target_unreachable: 'refused',
  not_comparable: 'refused',
  target_not_permitted: 'refused',
  listeners_differ: 'refused',
  too_disturbed: 'refused',
};

function endingOf(error: unknown): [RunState, ProblemError] {
  if (error instanceof ProblemError) return [endings[error.problem.code] ?? 'failed', error];
  const message = error instanceof Error ? error.message : String(error);
  return [
    'failed',
    problem('internal', `The run failed unexpectedly: ${message.replace(/\.$/, '')}.`, { cause: error }),
  ];
}
