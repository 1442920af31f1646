import { randomInt } from 'node:crypto';
import { flagsOf } from '../../../shared/base/option.ts';
import { problem } from '../../../shared/base/problem.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import { sideNames } from '../../../shared/base/transport.ts';
import { linkInShort } from '../../../shared/kinds/comparison/link.ts';
import { visitProtocolNames, visitsOptions } from '../../../shared/kinds/visits/options.ts';
import { keyOfRow, visitsHeadline } from '../../../shared/kinds/visits/visit-judgement.ts';
import {
  journeyName,
  passTitles,
  sidesOfVisits,
  timeInSentence,
  type VisitRow,
  type VisitsDocument,
  type VisitsRequest,
  visitsDocumentSchema,
} from '../../../shared/kinds/visits/visits.ts';
import { visits as shapes } from '../../../shared/kinds/visits/visits-progress.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { flatten } from '../../base/text/terminal.ts';
import { moveActions } from '../../intake/traffic/move-actions.ts';
import { namedSecrets } from '../../intake/traffic/spellings.ts';
import type { RunHouse } from '../../targets/open/open-target.ts';
import { defineKind, type SetupFact } from '../define-kind.ts';
import { demandHere } from '../demand-here.ts';
import { analyseVisits, askVisits, reportVisits, visitNotes } from './visits-report.ts';

/** Effects of TLS and of the HTTP version on a visitor with a real browser. */
export const visits = defineKind<typeof shapes, RunHouse>(shapes, {
  noun: 'visits in a browser',
  caption: 'Visits in a browser',
  page: 'l',
  title: (request) => `Visits: ${journeyName(request)}, ${request.blocks} rounds`,
  targets: ({ target }) => [factsOf(target).name],
  async prepare(request, secrets, house) {
    if (request.journey !== null) moveActions(request.journey.actions, 'http://127.0.0.1');
    if (request.target.kind === 'managed' && request.journey !== null) {
      const message = 'a server started here serves one page; leave the journey out';
      throw problem('invalid_request', {
        detail: 'A journey needs the demo shop or your own origins.',
        errors: [{ field: 'journey', message }],
      });
    }
    if (request.resumed && request.target.kind !== 'managed') {
      const message = 'only a server that is started here closes idle connections at a known time';
      throw problem('invalid_request', {
        detail:
          'Resumed visits need a server that is started here. Choose one, such as --target caddy, or leave them out.',
        errors: [{ field: 'resumed', message }],
      });
    }
    const missing = secretsOf(request).find((name) => !Object.hasOwn(secrets, name));
    if (missing !== undefined) {
      throw problem('secret_missing', `The journey types the secret “${missing}”, which has no value.`);
    }
    await demandHere(askVisits(request), house, 'A browser');
    const seed = request.seed ?? randomInt(2 ** 31);
    return { facts: { seed, browser: '', spoken: null, ownTwin: true } };
  },
  secretsOf,
  conduct: async (task, watch, house) =>
    (await import('./conduct-visits.ts')).conductVisits(task, watch, house),
  command: visitsCommand,
  documentOf(head, { facts, blocks }) {
    const { ownTwin: _, unfilmed: __, ...known } = facts;
    const notes = visitNotes(head.request, blocks, facts);
    const sides = sidesOfVisits(head.request);
    return { ...head, ...known, sides, blocks, warnings: [], rows: analyseVisits(blocks), notes };
  },
  rows: flatten(visitsDocumentSchema.pick({ blocks: true })),
  report: reportVisits,
  headline: visitsHeadline,
  compared: {
    figure: 'overhead',
    lead: 'What the second side adds to each time. A change compares the ratios of the second side to the first. If only an interval is shown, the difference is not certain.',
    figuresOf: ({ rows, request }) =>
      rows.map((row) => ({
        id: keyOfRow(row).replace('visits/', ''),
        name: nameOf(row, request),
        estimate: row.outcome === 'refused' ? null : row.ratio,
      })),
    setupOf: ({ request, blocks, browser }) => [
      { name: 'Target', value: factsOf(request.target).name },
      { name: 'Sides', value: sideNames.map((side) => visitProtocolNames[request[side]]).join(' → ') },
      { name: 'Journey', value: journeyName(request) },
      { name: 'Links', value: request.links.map(linkInShort).join('; ') || 'none' },
      actionsOf(request.journey),
      { name: 'Rounds', value: printNumber(blocks.filter(({ dropped }) => dropped === null).length, 0) },
      { name: 'Browser', value: browser },
    ],
  },
});

function nameOf({ pass, time, link }: VisitRow, { links }: VisitsRequest): string {
  const over = link === undefined ? undefined : links[link];
  const where = over === undefined ? '' : `, ${linkInShort(over)}`;
  return `${passTitles[pass]}, ${timeInSentence(time)}${where}`;
}

function actionsOf(journey: VisitsDocument['request']['journey']): SetupFact {
  if (journey === null) return { name: 'Actions', value: 'built-in' };
  const { actions } = journey;
  const value = `${printNumber(actions.length, 0)} ${actions.length === 1 ? 'action' : 'actions'}`;
  return { name: 'Actions', value, content: JSON.stringify(actions) };
}

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
