import { createHash, randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { problem } from '../../../shared/base/problem.ts';
import { comparison as shapes, shownRunOf } from '../../../shared/kinds/comparison/run.ts';
import type { Scenario } from '../../../shared/scenario/scenario.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { digestOf } from '../../../shared/words/digest.ts';
import { headlineOfRun } from '../../../shared/words/headline.ts';
import { targetNameOf, titleOfRun } from '../../../shared/words/side-words.ts';
import {
  demandReaderTokens,
  secretsOf,
  secretsOfScenario,
  secretsOfTarget,
} from '../../intake/scenario/secrets.ts';
import { askTarget, demandPermitted } from '../../targets/open/open-target.ts';
import type { House } from '../apparatus.ts';
import { defineKind } from '../define-kind.ts';
import { type AskedQuestion, questionOf } from './asked-question.ts';
import { documentOf } from './comparison-document.ts';
import { reportComparison } from './comparison-report.ts';
import { findEarlier, planContinued } from './conduct/target-fit.ts';
import { metricFigures, printConfiguration, slotRows } from './metric-figures.ts';
import { runArms } from './metric-readings.ts';
import { compareRuns, reportRunChanges } from './run-changes.ts';
import { demandSides, planFor } from './run-plan.ts';
import { maskBlock, summariseAsked, summaryOf } from './run-summary.ts';

const noGenerators = 'The run asks for generator hosts, but this server does not listen for any.';

function demandPods(asked: number | undefined, { generatorHosts: hosts }: House): void {
  if (asked === undefined || hosts === undefined) return;
  const pods = hosts?.pods ?? null;
  if (pods === null)
    throw problem('pods_off', 'The run asks for generator pods, but this server creates none.');
  if (asked <= pods.most) return;
  const message = `this server creates at most ${pods.most} ${pods.most === 1 ? 'pod' : 'pods'} (TLS_TOLL_PODS_MOST)`;
  throw problem('invalid_request', {
    detail: `generatorPods: ${message}.`,
    errors: [{ field: 'generatorPods', message }],
  });
}

/** A scenario over two transports, as a paired comparison. Users call it a run. */
export const comparison = defineKind<typeof shapes, House>(shapes, {
  noun: 'a run',
  caption: 'Paired comparison',
  page: 'r',
  continuable: true,
  title: (request, { scenario }) => titleOfRun({ ...request, scenario }),
  targets: (request) => [targetNameOf(request)],
  async prepare(request, secrets, house) {
    demandSides(request);
    const { continues } = request;
    const earlier = continues === undefined ? null : await findEarlier(continues, house, Date.now());
    const asked = request.scenario ?? factsOf(request.target).scenario;
    const ofScenario = secretsOfScenario(request, secrets);
    const { scenario, revisionId } = await house.chooseScenario(asked, ofScenario);
    demandReaderTokens(request, secrets);
    if (request.generatorHosts !== undefined && house.generatorHosts === null)
      throw problem('generators_off', noGenerators);
    demandPods(request.generatorPods, house);
    const permit = await demandPermitted(askTarget(request, runArms, secrets), house);
    const { demandStandingFit } = await import('./conduct/target-fit.ts');
    await demandStandingFit(request, scenario, secrets, house);
    const plan =
      earlier === null
        ? planFor(request, request.seed ?? randomInt(2 ** 31), {
            cores: availableParallelism(),
            thinkTimesMs: scenario.steps.map((step) => step.thinkTimeMs),
            permit,
          })
        : planContinued(earlier.facts.plan, request);
    const unknown = { preflight: null, cache: null, server: null, placement: null };
    const link = request.link === undefined ? {} : { link: { ...request.link, added: null } };
    const facts = { scenario, revisionId, plan, launches: [], ...unknown, ...link };
    return { facts, revisionId, summary: summariseAsked(request, scenario) };
  },
  maskBlock,
  secretsOf: (request, { scenario }) => [...secretsOf(scenario), ...secretsOfTarget(request)],
  conduct: async (task, watch, house) =>
    (await import('./conduct/conduct-comparison.ts')).conductComparison(task, watch, house),
  documentOf,
  shown: shownRunOf,
  summaryOf,
  figuresOf(document) {
    const { asked, target, scenario } = document;
    return metricFigures(document, questionId({ ...asked, target }, scenario));
  },
  rows: slotRows,
  report: reportComparison,
  headline: headlineOfRun,
  digest: digestOf,
  configuration: printConfiguration,
  changes({ document: from }, { document: to }) {
    const changes = compareRuns(from, to);
    return { changes, report: () => reportRunChanges(changes) };
  },
});

/** Names a question in the history, the same for all of its runs. */
export function questionId(request: AskedQuestion, sent: Scenario): string {
  return createHash('sha256').update(questionOf(request, sent)).digest('base64url').slice(0, 22);
}
