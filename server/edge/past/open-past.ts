import type { Environment } from '../../../shared/base/environment.ts';
import { bySide } from '../../../shared/base/transport.ts';
import { type AtLoad, loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import { primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import type { Past, RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { serversOfSides } from '../../../shared/kinds/comparison/servers-of-sides.ts';
import { betweenLaunchesPriors, betweenRunsPriors } from '../../kinds/comparison/analyse/past-of-runs.ts';
import { movesBetweenRuns } from '../../kinds/comparison/analyse/shipped-priors.ts';
import { questionId } from '../../kinds/comparison/conduct/question-id.ts';
import { differenceOf } from '../../kinds/comparison/series/comparable-runs.ts';
import { madeWith } from '../../kinds/comparison/series/made-with.ts';
import { openStored } from '../../kinds/comparison/series/open-stored.ts';
import {
  type EarlierRun,
  listEarlierRuns,
  listLaunchesVariances,
  listPreciseFigures,
  type PreciseFigure,
} from '../../life/database/earlier-runs.ts';
import type { Database } from '../../life/database/open-database.ts';

type Asked = { request: RunRequest; facts: RunFacts };

/** Of any question, of which a run may borrow what lay between launches. */
const mostLikeRuns = 30;
/** Of the same question. */
const mostOfQuestion = 50;
/** Of the same question, that decide on the load: one run that found another in a bad minute does not. */
const mostLoads = 5;

type EarlierRuns = {
  /** For a run that has been measured and is about to be analyzed. */
  past(asked: Asked): Promise<Past>;
  /**
   * That most of the newest runs of the same question were measured at, where they were made alike: found anew for each run, the load
   * would be another now and then, and so would the answer. Null without one.
   */
  usualLoad(asked: Asked): Promise<AtLoad | null>;
};

/** What the database knows for a run on this machine. */
export function openPast(database: Database, environment: Environment): EarlierRuns {
  const ownOf = ({ request, facts }: Asked) =>
    madeWith({
      ...{ target: request.target.kind, environment, servers: serversOfSides(facts) },
      negotiated: bySide((side) => facts.preflight?.sides[side].tls ?? null),
    });
  return {
    async past(asked) {
      const earlier = await runsOfQuestion(database, asked);
      const { kind } = asked.request.target;
      return {
        betweenLaunches: await betweenLaunchesOf(database, environment, asked),
        betweenRuns: movesBetweenRuns(kind) ? betweenRunsPriors(ownOf(asked), earlier, kind) : {},
        earlier,
      };
    },
    async usualLoad(asked) {
      const earlier = await runsOfQuestion(database, asked);
      const own = ownOf(asked);
      const alike = earlier.filter((run) => differenceOf(run, own) === null);
      return commonest(alike.flatMap(({ atLoad }) => atLoad ?? []).slice(-mostLoads));
    },
  };
}

/** Of several that are as common, the newest one, which comes last. */
function commonest(loads: readonly AtLoad[]): AtLoad | null {
  const alike = Map.groupBy(loads.toReversed(), ({ users, ratePerS }) => `${users} ${ratePerS}`);
  const [most] = [...alike.values()].toSorted((a, b) => b.length - a.length);
  return most?.[0] ?? null;
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
  const newest = rows.toReversed();
  const ids = newest.map(({ id }) => id);
  const figures = Map.groupBy(await listPreciseFigures(database, ids, primaryMetrics), ({ id }) => id);
  return newest.flatMap((row) => {
    const opened = openStored(row);
    const found = figures.get(row.id) ?? [];
    return opened === null || found.length === 0 ? [] : [runOf(row, found, opened)];
  });
}

function runOf(
  { id, createdAt, environment }: EarlierRun,
  found: readonly PreciseFigure[],
  { request, atLoad, ...known }: NonNullable<ReturnType<typeof openStored>>,
): RunOfQuestion {
  return {
    ...{ id, createdAt, ...madeWith({ ...known, target: request.target.kind, environment }) },
    atLoad,
    metrics: Object.fromEntries(
      found.map(({ metric, ratio, error, widenings, baseline }) => [
        metric,
        {
          ...{ center: Math.log(ratio), error, baseline },
          widened: widenings.reduce((sum, by) => sum + by, 0),
        },
      ]),
    ),
  };
}
