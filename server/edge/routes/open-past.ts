import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Environment } from '../../../shared/base/environment.ts';
import { problem } from '../../../shared/base/problem.ts';
import { bySide } from '../../../shared/base/transport.ts';
import { loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import { blockSchema } from '../../../shared/kinds/comparison/block.ts';
import { primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import type { Past, RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import { type RunFacts, runFactsSchema } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../shared/words/side-words.ts';
import type { EarlierRun, House } from '../../kinds/apparatus.ts';
import { loadKeyParts, madeWith, openStored } from '../../kinds/comparison/asked-question.ts';
import { questionId } from '../../kinds/comparison/kind.ts';
import {
  betweenLaunchesPriors,
  betweenRunsPriors,
  differenceOf,
  movesBetweenRuns,
} from '../../kinds/comparison/run-pool.ts';
import { listBlocks } from '../../life/database/events.ts';
import {
  deleteLoad,
  type EarlierRun as EarlierRow,
  findLoad,
  insertLoad,
  listEarlierRuns,
  listLaunchesVariances,
  listPreciseFigures,
  type PreciseFigure,
} from '../../life/database/figures.ts';
import { findMeasurement } from '../../life/database/measurements.ts';
import type { Database } from '../../life/database/open-database.ts';
import { errorAmongRuns } from '../../method/statistics/precision.ts';
import { installationId } from '../../targets/sampling/machine.ts';

type Asked = { request: RunRequest; facts: RunFacts };

/** Runs of any question from which a run may borrow the variance between launches. */
const mostLikeRuns = 30;

/** Most runs of the same question. */
const mostOfQuestion = 50;

/** Earlier runs in the database that help a run on this machine. */
export function openPast(
  database: Database,
  environment: Environment,
  machine = installationId(),
): Pick<Required<House>, 'past' | 'earlier' | 'loads'> {
  return {
    async past(asked) {
      const { request, facts } = asked;
      const earlier = await runsOfQuestion(database, asked);
      const { kind } = request.target;
      const made = madeWith({
        ...{ target: kind, environment, servers: serversOfSides(facts) },
        ...{ programs: facts.programs, departed: facts.departed },
        negotiated: bySide((side) => facts.preflight?.sides[side].tls ?? null),
      });
      const own = { ...made, atLoad: facts.atLoad ?? null };
      return {
        betweenLaunches: await betweenLaunchesOf(database, environment, asked),
        betweenRuns: movesBetweenRuns(kind) ? betweenRunsPriors(own, earlier, kind) : {},
        earlier,
      };
    },
    earlier: (id) => readEarlier(database, id, environment),
    loads: openLoads(database, environment, machine),
  };
}

async function readEarlier(database: Database, id: string, now: Environment): Promise<EarlierRun> {
  const record = await findMeasurement(database, id);
  const { startedAt = null, endedAt = null, environment = null } = record ?? {};
  if (record === null || startedAt === null || endedAt === null || environment === null)
    throw problem('run_not_found', `No finished run has the ID ${id}.`);
  const facts = runFactsSchema.safeParse(record.facts).data;
  const blocks = z.array(blockSchema).safeParse(await listBlocks(database, id)).data;
  if (facts === undefined || blocks === undefined)
    throw problem('not_continuable', 'It was made by an earlier version.');
  return { id, startedAt, endedAt, facts, blocks, environments: { before: environment, here: now } };
}

function hashParts(parts: string): string {
  return createHash('sha256').update(parts).digest('base64url').slice(0, 22);
}

/** Without an ID of the machine, loads are neither looked up nor stored. */
function openLoads(
  database: Database,
  environment: Environment,
  machine: string | null,
): NonNullable<House['loads']> {
  const keyOf = (asked: Asked) =>
    machine === null ? null : hashParts(loadKeyParts({ ...asked, environment, machine }));
  return {
    async find(asked) {
      const key = keyOf(asked);
      return key === null ? null : findLoad(database, key);
    },
    async insert(asked, { users, sides, runId }, replacing) {
      const key = keyOf(asked);
      if (key !== null) await insertLoad(database, key, { users, sides, runId, at: Date.now() }, replacing);
    },
    async delete(asked) {
      const key = keyOf(asked);
      if (key !== null) await deleteLoad(database, key);
    },
  };
}

async function betweenLaunchesOf(
  database: Database,
  environment: Environment,
  { request: { target }, facts: { atLoad } }: Asked,
): Promise<Past['betweenLaunches']> {
  if (atLoad === undefined || target.kind === 'origins') return {};
  const like = { targetKind: target.kind, loadClass: loadClassOf(atLoad) };
  return betweenLaunchesPriors(
    await listLaunchesVariances(database, environment, like, mostLikeRuns),
    target.kind,
  );
}

/** Oldest first. */
async function runsOfQuestion(database: Database, { request, facts }: Asked): Promise<RunOfQuestion[]> {
  const rows = await listEarlierRuns(database, questionId(request, facts.scenario), mostOfQuestion);
  // The run that it continues is part of it.
  const newest = rows.filter(({ id }) => id !== facts.continued?.id).toReversed();
  const ids = newest.map(({ id }) => id);
  const figures = Map.groupBy(await listPreciseFigures(database, ids, primaryMetrics), ({ id }) => id);
  return newest.flatMap((row) => {
    const opened = openStored(row);
    const found = figures.get(row.id) ?? [];
    return opened === null || found.length === 0 ? [] : [earlierRunOf(row, found, opened)];
  });
}

function earlierRunOf(
  { id, createdAt, environment }: EarlierRow,
  found: readonly PreciseFigure[],
  { request, atLoad, ...known }: NonNullable<ReturnType<typeof openStored>>,
): RunOfQuestion {
  return {
    ...{ id, createdAt, ...madeWith({ ...known, target: request.target.kind, environment }) },
    atLoad,
    metrics: Object.fromEntries(
      found.map(({ metric, ratio, difference: delta, error, widenings, baseline }) => {
        const widened = widenings.reduce((sum, by) => sum + by, 0);
        const among = errorAmongRuns({ withinError: error, widened });
        return [
          metric,
          {
            ...{ center: Math.log(ratio.center), error, baseline, widened },
            ...differenceOf({ delta, ratio, error: among }),
          },
        ];
      }),
    ),
  };
}
