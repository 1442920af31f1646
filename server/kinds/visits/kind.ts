import { randomInt } from 'node:crypto';
import { flagsOf } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { visitsHeadline } from '../../../shared/kinds/visits/visit-judgement.ts';
import type { VisitsRequest } from '../../../shared/kinds/visits/visits.ts';
import {
  journeyName,
  type VisitsBlock,
  type VisitsDocument,
  type VisitsFacts,
  visitsBlockSchema,
  visitsDocumentSchema,
  visitsFactsSchema,
  visitsRequestSchema,
  visitsSchemaVersion,
} from '../../../shared/kinds/visits/visits.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { namedSecrets } from '../../intake/traffic/spellings.ts';
import type { RunHouse } from '../../targets/open/open-target.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { demandHere } from '../demand-here.ts';
import type { Kind } from '../kind.ts';
import {
  analyseVisits,
  passRows,
  reportVisits,
  visitChanges,
  visitNotes,
  visitSides,
  visitsAsked,
} from './visits-report.ts';

/** Effects of TLS on a visitor with a real browser. */
export const visits: Kind<VisitsRequest, VisitsFacts, VisitsBlock, VisitsDocument, RunHouse> = {
  name: 'visits',
  noun: 'a measurement of visits',
  caption: 'Visits in a browser',
  page: 'l',
  requestSchema: visitsRequestSchema,
  factsSchema: visitsFactsSchema,
  blockSchema: visitsBlockSchema,
  documentSchema: visitsDocumentSchema,
  documentVersion: visitsSchemaVersion,
  upgraders: {},
  title: (request) => `Visits: ${journeyName(request)}, ${request.blocks} blocks`,
  targets: ({ target }) => [factsOf(target).name],
  async prepare(request, secrets, house) {
    if (request.journey !== null) moveActions(request.journey.actions, 'http://127.0.0.1');
    if (request.target.kind === 'managed') {
      const message = 'a server started here serves only documents; choose the storefront or two origins';
      throw problem('invalid_request', {
        detail: 'Browser visits need the storefront or two origins.',
        errors: [{ field: 'target', message }],
      });
    }
    const missing = secretsOf(request).find((name) => !Object.hasOwn(secrets, name));
    if (missing !== undefined) {
      throw problem('secret_missing', `The journey types the secret “${missing}”, which has no value.`);
    }
    await demandHere({ target: request.target, ...visitsAsked }, house, 'A browser');
    const seed = request.seed ?? randomInt(2 ** 31);
    return {
      facts: { seed, browser: '', spoken: null, ownTwin: true },
      summary: {},
      revisionId: null,
    };
  },
  secretsOf,
  async conduct(task, watch, house) {
    const { conductVisits } = await import('./conduct-visits.ts');
    return conductVisits(task, watch, house);
  },
  documentOf: (frame, { facts, blocks }) => ({
    schemaVersion: visitsSchemaVersion,
    kind: 'visits',
    ...frame,
    sides: visitSides,
    ...{ seed: facts.seed, browser: facts.browser, blocks, warnings: [] },
    ...(facts.stuck === undefined ? {} : { stuck: facts.stuck }),
    command: visitsCommand(frame.request, facts.seed),
    rows: analyseVisits(blocks),
    spoken: facts.spoken,
    ...(facts.waterfalls === undefined ? {} : { waterfalls: facts.waterfalls }),
    ...(facts.film === undefined ? {} : { film: facts.film }),
    notes: visitNotes(blocks, facts.spoken, facts),
  }),
  summaryOf: () => ({}),
  rows: passRows,
  report: reportVisits,
  headline: ({ rows }) => visitsHeadline(rows),
  changes: (from, to) => changesOfFigures(visitChanges, from, to),
};

function secretsOf(request: VisitsRequest): string[] {
  return namedSecrets(request.journey?.actions ?? []);
}

/** The command that repeats the visits: the same journey, in the same order of visits where one has been drawn. */
function visitsCommand(request: VisitsRequest, seed: number | null): string {
  const { target, journey } = request;
  return [
    'npx tls-toll visits',
    ...(journey === null ? [] : [journey.scenario ?? 'journey.spec.ts']),
    ...factsOf(target).options,
    ...namedSecrets(journey?.actions ?? []).map((name) => `--secret ${name}=${name.toUpperCase()}`),
    ...flagsOf(visitsOptions, { ...request, seed }),
  ].join(' ');
}
