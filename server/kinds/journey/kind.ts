import { randomInt } from 'node:crypto';
import { problem } from '../../../shared/base/problem.ts';
import { pairOf } from '../../../shared/base/transport.ts';
import {
  type BrowserDocument,
  type BrowserRequest,
  browserDocumentSchema,
  browserRequestSchema,
  type JourneyBlock,
  type JourneyFacts,
  journeyBlockSchema,
  journeyFactsSchema,
  journeyName,
} from '../../../shared/kinds/lab/browser-run.ts';
import { labSchemaVersion } from '../../../shared/kinds/lab/lab-frame.ts';
import { browserSentences } from '../../../shared/scenario/browser-sentence.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { namedSecrets } from '../../intake/traffic/secret-names.ts';
import type { RunHouse } from '../../targets/open-target.ts';
import { changesOfLabs } from '../compare-labs.ts';
import { demandHere } from '../demand-here.ts';
import type { Kind } from '../kind.ts';
import { analyseJourneys } from './analyse-journeys.ts';
import { browserCommand } from './browser-command.ts';
import { journeyChanges } from './journey-changes.ts';
import { journeyNotes } from './journey-notes.ts';
import { journeySides } from './journey-sides.ts';
import { printBrowserMarkdown } from './report/journey-markdown.ts';
import { printBrowserTable } from './report/journey-table.ts';
import { passRows } from './report/pass-rows.ts';

/** What a visitor with a real browser sees of TLS. */
export const journey: Kind<BrowserRequest, JourneyFacts, JourneyBlock, BrowserDocument, RunHouse> = {
  name: 'journey',
  noun: 'a journey',
  caption: 'Journey in a browser',
  page: 'l',
  requestSchema: browserRequestSchema,
  factsSchema: journeyFactsSchema,
  blockSchema: journeyBlockSchema,
  documentSchema: browserDocumentSchema,
  documentVersion: labSchemaVersion,
  upgraders: {},
  title: (request) => `Browser: ${journeyName(request)}, ${request.blocks} blocks`,
  targets: ({ target }) => [factsOf(target).name],
  async prepare(request, secrets, house) {
    if (request.journey !== null) moveActions(request.journey.actions, 'http://127.0.0.1');
    if (request.target.kind === 'managed') {
      const message = 'a server started here serves only documents; choose the storefront or two origins';
      throw problem('invalid_request', {
        detail: 'A journey needs the storefront or two origins.',
        errors: [{ field: 'target', message }],
      });
    }
    const missing = secretsOf(request).find((name) => !Object.hasOwn(secrets, name));
    if (missing !== undefined) {
      throw problem('secret_missing', `The journey types the secret “${missing}”, which has no value.`);
    }
    await demandHere({ target: request.target, transports: pairOf(journeySides) }, house, 'A browser run');
    const seed = request.seed ?? randomInt(2 ** 31);
    return {
      facts: { seed, browser: '', spoken: null, ownTwin: true },
      summary: {},
      revisionId: null,
    };
  },
  secretsOf,
  async conduct(task, watch, house) {
    const { conductJourney } = await import('./conduct-journey.ts');
    return conductJourney(task, watch, house);
  },
  documentOf: (frame, { facts, blocks }) => ({
    schemaVersion: labSchemaVersion,
    kind: 'journey',
    ...frame,
    sides: journeySides,
    ...{ seed: facts.seed, browser: facts.browser, blocks, warnings: [] },
    ...(facts.stuck === undefined ? {} : { stuck: facts.stuck }),
    command: browserCommand(frame.request, facts.seed),
    rows: analyseJourneys(blocks),
    notes: journeyNotes(blocks, facts.spoken, facts.ownTwin),
  }),
  summaryOf: () => ({}),
  rows: passRows,
  markdown: printBrowserMarkdown,
  terminal: printBrowserTable,
  sentences: ({ rows }) => browserSentences(rows),
  changes: (from, to) => changesOfLabs(journeyChanges, from, to),
};

function secretsOf(request: BrowserRequest): string[] {
  return namedSecrets(request.journey?.actions ?? []);
}
