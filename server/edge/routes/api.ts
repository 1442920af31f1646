import { availableParallelism } from 'node:os';
import { type RequestHandler, type Response, Router } from 'express';
import type { PreflightRequest } from '../../../shared/api/target-endpoints.ts';
import { capitalized } from '../../../shared/base/cut.ts';
import { ProblemError, problem, problemOfField } from '../../../shared/base/problem.ts';
import { metricOf } from '../../../shared/kinds/comparison/metric.ts';
import type { RunDocument } from '../../../shared/kinds/comparison/run.ts';
import type { HandshakesDocument } from '../../../shared/kinds/handshakes/handshakes.ts';
import type { PricesDocument } from '../../../shared/kinds/prices/prices.ts';
import type { SpeedDocument } from '../../../shared/kinds/speed/speed.ts';
import type { BinAction, BinOutcome } from '../../../shared/results/schedule.ts';
import { mostTrendRuns, type QuestionLine } from '../../../shared/results/summary.ts';
import { printSignInProblem, problemOf } from '../../../shared/team/sign-in-problem.ts';
import { whereAndWhen } from '../../../shared/words/example-words.ts';
import { expectTimes } from '../../kinds/comparison/expected-time.ts';
import { billOfRun } from '../../kinds/comparison/run-bill.ts';
import { stepsOf } from '../../kinds/comparison/run-series.ts';
import { billOfTraffic } from '../../kinds/prices/traffic-bill.ts';
import { findNewestRun, listQuestions, listTrend, type QuestionRow } from '../../life/database/scenarios.ts';
import { type Results, summaryOf } from '../../life/examples/with-examples.ts';
import { saidOf } from '../../life/measurement/summaries.ts';
import { addressesOf } from '../../life/recording/open-permits.ts';
import {
  changeScenario,
  listLibrary,
  openRevision,
  openScenario,
  removeScenario,
  saveScenario,
} from '../../life/recording/scenario-library.ts';
import { findServers } from '../../targets/managed/find-servers.ts';
import type { ProviderSignIn, Team } from '../team/team-keys.ts';
import { holderOf, noteCall, tellAudit, whoAsks } from './actor.ts';
import { type AppParts, refuseOtherMethods, serve, serveFile, serveRaw } from './endpoint.ts';
import { digestOfResult, explanation, measurements } from './measurement-routes.ts';
import { openPredictions } from './open-predictions.ts';
import { openStudies } from './open-studies.ts';
import { reports } from './page-files.ts';
import { recordings, scenarioImport } from './scenario-files.ts';
import { series } from './series.ts';
import { audit, demandActor, demandTeam, session } from './session.ts';

/** Everything below `/api/v1`. */
export function api(parts: AppParts): Router {
  const router = Router();
  server(router, parts);
  scenarios(router, parts);
  recordings(router, parts);
  targets(router, parts);
  bills(router, parts);
  measurements(router, parts);
  examples(router, parts);
  reports(router, parts);
  batches(router, parts);
  bin(router, parts);
  schedules(router, parts);
  explanation(router, parts);
  series(router, parts);
  predictions(router, parts);
  questions(router, parts);
  studies(router, parts);
  session(router, parts);
  providerSignIn(router, parts);
  users(router, parts);
  audit(router, parts);
  refuseOtherMethods(router);
  return router;
}

/** Routes that come before the JSON body parser. */
export function uploads(): Router {
  const router = Router();
  scenarioImport(router);
  return router;
}

export const unknownEndpoint: RequestHandler = (request, _response, next) => {
  next(
    problem('not_found', `The API has no ${request.baseUrl}${request.path}; /api/docs lists the endpoints.`),
  );
};

/** The claims of the studies, with today's figures. */
function studies(router: Router, { measurements, examples, limits }: AppParts): void {
  // The servers of this machine are irrelevant if others measure.
  const servers = () => (limits.measures ? findServers() : []);
  const read = openStudies({ measurements, examples, servers, libraries: limits.libraries });
  serve(router, 'showStudies', read);
}

/** Whether later runs confirm a price list. */
function predictions(router: Router, parts: AppParts): void {
  const read = openPredictions(parts);
  serve(router, 'showPredictions', ({ params: { id } }) => read(id));
}

/** Measurements that are repeated. Users who may start measurements here may repeat them, and may end that. */
function schedules(router: Router, { schedules: all }: AppParts): void {
  serve(router, 'listSchedules', async ({ query: { of } }) => ({ schedules: await all.list(of) }));
  serve(router, 'createSchedule', ({ body }, response) => all.create(body, whoAsks(response)));
  serve(router, 'changeSchedule', ({ params: { id }, body: { state } }) => all.change(id, state));
  serve(router, 'deleteSchedule', async ({ params: { id } }) => {
    await all.remove(id);
    return null;
  });
}

/** One request that several runners measure at once. */
function batches(router: Router, { measurements }: AppParts): void {
  serve(router, 'createBatch', async ({ body: { labels, ...request }, headers }, response) => {
    const { kind } = request;
    const key = headers['idempotency-key'] ?? null;
    const created = await measurements.batches.create(kind, request, labels, key, whoAsks(response));
    tellAudit(response, { note: kind });
    response.location(created.url);
    return created;
  });
  serve(router, 'showBatch', ({ params: { id } }) => measurements.batches.show(id));
  serve(router, 'showBatchOf', async ({ params: { id } }) => ({
    batch: await measurements.batches.linkFrom(id),
  }));
}

/** Results that came with the program, for a server that has none of its own. */
function examples(router: Router, { examples: all }: AppParts): void {
  serve(router, 'listExamples', async () => ({
    examples: (await all.list()).map((example) => {
      const { name, asks, kind, document } = example;
      const summary = summaryOf(example);
      const { headline } = digestOfResult(saidOf(kind, document), summary);
      return {
        name,
        asks,
        headline,
        id: summary.id,
        url: summary.url,
        measured: capitalized(whereAndWhen(document)),
      };
    }),
  }));
}

/** The bin, and deleting or restoring several measurements at once, each with its own token. */
function bin(router: Router, { measurements: all }: AppParts): void {
  serve(router, 'listBin', ({ query }) => all.listBin(query));
  serve(router, 'binMeasurements', ({ body }) => each(body, all.bin));
  serve(router, 'restoreMeasurements', ({ body }) => each(body, all.restore));
  serve(router, 'removeMeasurements', ({ body }) => each(body, all.remove));
}

/** One after the other; a refused one does not stop the others. */
async function each(
  { items }: BinAction,
  act: (id: string, deleteToken: string) => Promise<unknown>,
): Promise<BinOutcome> {
  const outcome: BinOutcome = { done: [], refused: [] };
  for (const { id, deleteToken } of items) {
    try {
      await act(id, deleteToken);
      outcome.done.push(id);
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.status >= 500) throw error;
      outcome.refused.push({ id, problem: error.problem });
    }
  }
  return outcome;
}

/** Questions that were measured, each listed once. */
function questions(router: Router, { measurements, database }: AppParts): void {
  async function lineOf({ question, runs }: QuestionRow): Promise<QuestionLine[]> {
    const id = await findNewestRun(database, question);
    // Deleted meanwhile.
    const summary = id === null ? null : await measurements.summary(id).catch(() => null);
    if (summary?.kind !== 'comparison') return [];
    const metric = summary.verdict?.metric ?? 'cpu_at_load';
    const rows = await listTrend(database, question, metricOf(metric).id, mostTrendRuns);
    const steps = stepsOf(rows);
    const reasons = new Map(summary.leftOut?.map(({ id, reason }) => [id, reason]));
    const trend = rows.map(({ id, createdAt, ratio }, place) => {
      const leftOut = reasons.get(id);
      return {
        ...{ id, url: `/r/${id}`, createdAt, ratio, isStep: steps.has(place) },
        ...(leftOut === undefined ? {} : { leftOut }),
      };
    });
    return [{ id: question, newest: summary, runs, trend }];
  }

  serve(router, 'listQuestions', async ({ query }) => {
    const { page, nextCursor } = await listQuestions(database, query);
    const lines = await Promise.all(page.map(lineOf));
    return { questions: lines.flat(), nextCursor };
  });
}

/** This server and its machine: what they are, what they do, and what they can measure. */
function server(router: Router, parts: AppParts): void {
  const { measurements, results, generatorHosts, limits, machine, version } = parts;
  serve(router, 'health', () => ({
    status: 'ok' as const,
    version,
    uptimeS: Math.round(process.uptime() * 10) / 10,
    ...measurements.status(),
  }));
  serve(router, 'limits', () => limits);
  serve(router, 'listRunners', async () => ({
    ...(await measurements.runners()),
    generators: generatorHosts?.list() ?? null,
  }));
  serve(router, 'machine', async () => {
    const holder = measurements.status().holder?.kind ?? null;
    const use = machine.look();
    const foreignRatio = holder === null ? use.foreignRatio : null;
    const taken = (use.stealRatio ?? 0) + (foreignRatio ?? 0);
    const expected = expectTimes(await machine.sampleDeviations(), taken);
    const programs = holder === null ? machine.lookAtPrograms() : null;
    return { ...use, foreignRatio, cores: availableParallelism(), programs, holder, expected };
  });
  serve(router, 'listServers', () => findServers());
  serveFile(router, 'showConfiguration', async ({ params: { id } }) => {
    const text = (await results.document(id)).configuration();
    if (text === null) throw problem('not_found', 'That run did not start a server.');
    return { text, mediaType: 'text/plain', fileName: `tls-toll-${id}.conf.txt` };
  });
}

/** Which other hosts may be loaded, a look at both sides of a target, and the end of all load. */
function targets(router: Router, { checks, permits, measurements }: AppParts): void {
  serve(router, 'listTargets', () => permits.list());

  serve(router, 'allowTarget', ({ body }, response) => permits.allow(body, whoAsks(response)));

  serve(router, 'withdrawTarget', async ({ params: { id } }, response) => {
    await permits.withdraw(id, whoAsks(response));
    return null;
  });

  serve(router, 'preflight', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'checked', addressesOf(body), null);
    return checks.preflight(body);
  });

  serve(router, 'lookUp', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'checked', body.addresses.map(asUrl), null);
    return checks.lookUp(body);
  });

  serve(router, 'probe', async ({ body }, response) => {
    await permits.note(whoAsks(response), 'probed', [body.url], null);
    return checks.probe(body);
  });

  serve(router, 'stopAll', async (_call, response) => {
    const stopped = await measurements.stop();
    await permits.noteStop(whoAsks(response));
    return { stopped };
  });
}

/** An address may be given without its scheme. */
function asUrl(address: string): string {
  return address.includes('://') ? address : `http://${address}`;
}

/** Signing in with an identity provider: there, and back. */
function providerSignIn(router: Router, { team, logger }: AppParts): void {
  serve(router, 'startProviderSignIn', async ({ body: { returnTo } }, response) => {
    const { url, cookies } = await demandProvider(team).begin(returnTo, response.req.headers.origin);
    response.append('Set-Cookie', cookies);
    return { url };
  });

  serveRaw(router, 'finishProviderSignIn', async (call, request, response) => {
    const query = new URL(`http://server${request.originalUrl}`).searchParams;
    const end = await demandProvider(team).finish(query, request.headers);
    response.append('Set-Cookie', end.cookies).set('Cache-Control', 'no-store');
    if (end.actor === null) {
      const code = problemOf(end.problem.problem.code);
      if (code === null) throw end.problem;
      // Strangers may knock often; a provider that cannot be used is for the operator to mend.
      logger[code === 'provider_unusable' ? 'warn' : 'info'](end.problem, 'no sign-in');
      return response.redirect(303, printSignInProblem(end.returnTo, code));
    }
    tellAudit(response, { actor: end.actor });
    await noteCall(response, 'finishProviderSignIn', call, null);
    response.redirect(303, end.returnTo);
  });
}

/** Throws sign_in_off, not_found. */
function demandProvider(team: Team | null): ProviderSignIn {
  const { provider } = demandTeam(team);
  if (provider === null) throw problem('not_found', 'This server has no identity provider to sign in with.');
  return provider;
}

/** The people who may sign in, and their API keys. */
function users(router: Router, { team }: AppParts): void {
  serve(router, 'listUsers', () => demandTeam(team).users.list());
  serve(router, 'createUser', async ({ body }, response) => {
    const user = await demandTeam(team).users.create(body);
    tellAudit(response, { subject: user.email, note: `as ${user.role}` });
    return user;
  });
  serve(router, 'changeUser', async ({ params: { id }, body: { role } }, response) => {
    const user = await demandTeam(team).users.changeRole(id, role);
    tellAudit(response, { subject: user.email, note: `to ${user.role}` });
    return user;
  });
  serve(router, 'resetPassword', async ({ params: { id } }, response) => {
    const user = await demandTeam(team).users.resetPassword(id);
    tellAudit(response, { subject: user.email });
    return user;
  });
  serve(router, 'deleteUser', async ({ params: { id } }, response) => {
    const { users: all } = demandTeam(team);
    const user = (await all.list()).find((each) => each.id === id);
    await all.remove(id);
    tellAudit(response, { subject: user?.email ?? id });
    return null;
  });

  serve(router, 'listKeys', (_call, response) => demandTeam(team).keys.list(demandActor(response)));
  serve(router, 'createKey', async ({ body }, response) => {
    const made = await demandTeam(team).keys.create(body, demandActor(response));
    tellAudit(response, { note: `${made.name}, for ${made.user} as ${made.role}` });
    return made;
  });
  serve(router, 'deleteKey', async ({ params: { id } }, response) => {
    await demandTeam(team).keys.remove(id, demandActor(response));
    return null;
  });
}

/** Bills: of a load on the two sides of a run, and of a traffic by a price list. */
function bills(router: Router, { measurements, results }: AppParts): void {
  serve(router, 'billRun', async ({ params: { id }, body: { handshakes, ...asked } }) => {
    const run = await measured(measurements, 'id', id, 'comparison');
    const grid =
      handshakes === null ? null : await measured(measurements, 'handshakes', handshakes, 'handshakes');
    return billOfRun(run as RunDocument, asked, grid as HandshakesDocument | null);
  });

  serve(router, 'billTraffic', async ({ params: { id }, body }) => {
    const list = (await measured(results, 'id', id, 'prices')) as PricesDocument;
    const { url, title } = await results.summary(id);
    return { list: { id, url, title }, ...billOfTraffic(list, body, await speedLike(list)) };
  });

  /** The newest speed table of such a machine. */
  async function speedLike({ environment }: PricesDocument): Promise<SpeedDocument | null> {
    const { summaries } = await measurements.list({ kinds: ['speed'], state: 'finished', limit: mostTables });
    for (const { id } of summaries) {
      const document = (await measurements.document(id)).document as SpeedDocument;
      const { cpuModel, cores } = document.environment;
      if (cpuModel === environment.cpuModel && cores === environment.cores) return document;
    }
    return null;
  }

  async function measured(from: Pick<Results, 'document'>, field: string, id: string, wanted: string) {
    const { kind, document, final } = await from.document(id);
    if (!final) throw problemOfField('invalid_request', field, 'that run is not over yet');
    if (kind !== wanted) throw problemOfField('invalid_request', field, `that run is not one of ${wanted}`);
    return document;
  }
}

/** Older ones are hardly of this machine as it is. */
const mostTables = 5;

function scenarios(router: Router, { checks, database, permits }: AppParts): void {
  serve(router, 'listScenarios', () => listLibrary(database));

  serve(router, 'createScenario', async ({ body }, response) => {
    const stored = await saveScenario(database, body);
    response.location(`/scenarios/${stored.id}`);
    return stored;
  });

  serve(router, 'showScenario', ({ params: { id } }) => openScenario(database, id));

  serve(router, 'changeScenario', ({ params: { id }, body }) => changeScenario(database, id, body));

  serve(router, 'deleteScenario', async ({ params: { id } }) => {
    await removeScenario(database, id);
    return null;
  });

  serve(router, 'dryRun', ({ body }, response) => dryRun(body, response));
  serve(router, 'dryRunScenario', ({ params: { id }, body }, response) =>
    dryRun({ ...body, scenario: id }, response),
  );

  async function dryRun(request: PreflightRequest, response: Response) {
    await permits.note(whoAsks(response), 'checked', addressesOf(request), null);
    return checks.dryRun(request, holderOf(response));
  }

  serve(router, 'openDryRun', (_, response) => ({ open: checks.openDryRun(holderOf(response)) }));
  serve(router, 'endDryRun', async (_, response) => {
    await checks.endDryRun(holderOf(response));
    return null;
  });

  serveFile(router, 'exportScenario', async ({ params: { id }, query }) => {
    const { exportScenario } = await import('./scenario-files.ts');
    return exportScenario(await openScenario(database, id), query.as, query.origin);
  });

  serve(router, 'showRevision', ({ params: { id } }) => openRevision(database, id));
}
