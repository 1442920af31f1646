import type { Environment } from '../../../shared/base/environment.ts';
import { type AtLoad, loadClassOf } from '../../../shared/kinds/comparison/at-load.ts';
import { primaryMetrics } from '../../../shared/kinds/comparison/metric.ts';
import type { Past, RunOfQuestion } from '../../../shared/kinds/comparison/past.ts';
import type { RunFacts } from '../../../shared/kinds/comparison/run.ts';
import type { RunRequest } from '../../../shared/kinds/comparison/run-request.ts';
import { transportsOfSides } from '../../../shared/kinds/comparison/side.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { betweenRunsPriors, unitPriors } from '../../kinds/comparison/analyse/past-of-runs.ts';
import { differenceOf } from '../../kinds/comparison/series/comparable-runs.ts';
import { bothServers, madeWith } from '../../kinds/comparison/series/made-with.ts';
import { openStored } from '../../kinds/comparison/series/open-stored.ts';
import { seriesKey } from '../../kinds/comparison/series/series-key.ts';
import {
  type EarlierRun,
  listEarlierRuns,
  listOwnVariances,
  listPreciseFigures,
  type PreciseFigure,
} from '../../life/database/earlier-runs.ts';
import type { Database } from '../../life/database/open-database.ts';

type Asked = { request: RunRequest; facts: RunFacts };

/** Of any question, whose own variances a run may borrow. */
const mostLikeRuns = 30;
/** Of the same question. */
const mostOfQuestion = 50;
/** Of the same question, that decide on the load: one run that found another in a bad minute does not. */
const mostLoads = 5;
/** With the names of the question, to find those among. */
const mostNamed = 150;

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
      ...{ target: request.target.kind, environment },
      server: bothServers(facts.server, facts.baselineServer),
      tls: facts.preflight?.sides.comparison.tls ?? noTls,
    });
  return {
    async past(asked) {
      const earlier = await runsOfQuestion(database, asked);
      const stands = asked.request.target.kind === 'origins';
      return {
        units: await unitsOf(database, environment, asked),
        betweenRuns: stands ? betweenRunsPriors(ownOf(asked), earlier) : {},
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

const noTls = { protocol: null, cipher: null };

async function unitsOf(
  database: Database,
  environment: Environment,
  { request: { target }, facts: { atLoad } }: Asked,
): Promise<Past['units']> {
  if (atLoad === undefined) return {};
  const like = { targetKind: target.kind, loadClass: loadClassOf(atLoad) };
  return unitPriors(await listOwnVariances(database, environment, like, mostLikeRuns));
}

/** Oldest first. */
async function runsOfQuestion(database: Database, { request, facts }: Asked): Promise<RunOfQuestion[]> {
  const key = seriesKey(request, facts.scenario);
  const names = {
    ...{ target: factsOf(request.target).name, scenario: facts.scenario.name },
    ...{ preset: facts.plan.preset, transports: transportsOfSides(request) },
  };
  const named = await listEarlierRuns(database, names, mostNamed);
  const runs = named.flatMap((row) => {
    const opened = openStored(row);
    return opened?.key === key ? [{ row, opened }] : [];
  });
  const newest = runs.slice(0, mostOfQuestion).reverse();
  const ids = newest.map(({ row }) => row.id);
  const figures = Map.groupBy(await listPreciseFigures(database, ids, primaryMetrics), ({ id }) => id);
  return newest.flatMap(({ row, opened }) => {
    const found = figures.get(row.id) ?? [];
    const { target } = opened.request;
    return found.length === 0
      ? []
      : [runOf(row, found, { target: target.kind, server: opened.server }, opened.atLoad)];
  });
}

function runOf(
  { id, createdAt, environment, protocol, cipher }: EarlierRun,
  found: readonly PreciseFigure[],
  known: Pick<Parameters<typeof madeWith>[0], 'target' | 'server'>,
  atLoad: AtLoad | null,
): RunOfQuestion {
  return {
    ...{ id, createdAt, ...madeWith({ ...known, environment, tls: { protocol, cipher } }) },
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
