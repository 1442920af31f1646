import { createHash, randomInt } from 'node:crypto';
import { flagsOf, printOption, valueIn } from '../../../shared/base/option.ts';
import { problemAt } from '../../../shared/base/problem.ts';
import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import {
  type PricesDocument,
  type PricesRequest,
  pricesDocumentSchema,
  pricesHeadline,
  pricesHistory,
  prices as shapes,
} from '../../../shared/kinds/prices/prices.ts';
import type { Figures } from '../../../shared/measurement/history-view.ts';
import { pricesFinding } from '../../../shared/report/prices-report.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten } from '../../base/text/terminal.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { defineKind, figuresIn } from '../define-kind.ts';
import { demandHere } from '../demand-here.ts';
import { pricesAsked } from './price-cells.ts';
import { listColumns, listPrices } from './price-list.ts';

/** Cost of each thing that a request can need, over HTTP and over HTTPS. */
export const prices = defineKind<typeof shapes, ConfiguredHouse>(shapes, {
  noun: 'a price list',
  caption: 'Price list',
  page: 'l',
  title: ({ target }) => `Prices of ${factsOf(target).name}`,
  targets: ({ target }) => [factsOf(target).name],
  async prepare(request, _secrets, house) {
    demandPossible(request);
    await demandHere({ target: request.target, ...pricesAsked }, house, 'A price list');
    const seed = request.seed ?? randomInt(2 ** 31);
    return {
      facts: { seed, server: null, cores: null, placement: null, negotiated: null, programs: [], cells: [] },
    };
  },
  conduct: async (task, watch, house) =>
    (await import('./conduct-prices.ts')).conductPrices(task, watch, house),
  command: pricesCommand,
  documentOf: (head, { facts, blocks }) => ({
    ...{ ...head, ...facts, warnings: [] },
    ...listPrices(facts, blocks),
    ...(facts.columns === undefined ? {} : { byColumn: listColumns(facts.columns) }),
    rounds: blocks,
  }),
  figuresOf: priceFigures,
  rows: flatten(pricesDocumentSchema.pick({ items: true })),
  report: (document) => reportOf(document, pricesFinding(document)),
  headline: pricesHeadline,
  compared: {
    figure: 'us',
    lead: 'What HTTPS adds to each price: server CPU, and bytes of the wire and of memory.',
    figuresOf: ({ items }) =>
      items.map(({ id, title, unit, difference }) => ({
        ...{ id, name: title, estimate: difference },
        ...(unit === 'us' ? {} : { figure: 'bytes' as const }),
      })),
    setupOf: ({ request, server }) => [
      {
        name: 'Server',
        value: server === null ? factsOf(request.target).name : `${server.title} ${server.version}`,
      },
      ...pricesOptions
        .filter(
          ({ part, name }) => part === 'target' && name !== 'server' && request.target.kind === 'managed',
        )
        .map((placed) => ({
          name: placed.option.label,
          value: printOption(placed.option, valueIn(request, placed)),
        })),
      { name: 'Document', value: request.document ?? 'none' },
    ],
  },
});

/** Throws invalid_request for a target that cannot have a list, before anything is started. */
function demandPossible({ target, document, columns }: PricesRequest): void {
  if (target.kind === 'storefront')
    throw problemAt(
      'invalid_request',
      'target',
      'the storefront has no documents of given sizes; choose a server such as nginx',
    );
  if (target.kind === 'managed' && document !== null)
    throw problemAt(
      'invalid_request',
      'document',
      'a server that is started has documents of all sizes; leave it out, or give the addresses of a running server',
    );
  if (target.kind !== 'origins') return;
  if (columns?.includes('key'))
    throw problemAt(
      'invalid_request',
      'columns',
      'the key of a running server cannot be changed; leave out key, or start a server',
    );
  const unfit = (['agent', 'prometheus', 'twin', 'clientCertificate'] as const).find(
    (name) => target[name] !== undefined,
  );
  if (unfit !== undefined)
    throw problemAt(
      'invalid_request',
      `target.${unfit}`,
      'a price list does not use it; leave it out, or run a comparison',
    );
}

/** Names a server with its options in the history, the same for all of its lists. */
export function listQuestion({ target, document }: Pick<PricesRequest, 'target' | 'document'>): string {
  const asked =
    target.kind === 'managed'
      ? ofServer.map((placed) => valueIn({ target }, placed))
      : target.kind === 'origins'
        ? [target.http, target.https]
        : [];
  const parts = JSON.stringify(['prices', target.kind, ...asked, document]);
  return createHash('sha256').update(parts).digest('base64url').slice(0, 22);
}

const ofServer = pricesOptions.filter(({ part }) => part === 'target');

function priceFigures({ request, server, environment, items }: PricesDocument): Figures {
  const { target } = request;
  const known = {
    target: factsOf(target).name,
    version: server?.version,
    key: target.kind === 'managed' ? target.key : null,
    question: listQuestion(request),
    machine: environment.machine,
  };
  return figuresIn(
    pricesHistory,
    items.map(({ id: item, unit, baseline: http, comparison: https, difference, loadShare }) => ({
      ...known,
      ...{ item, unit, http, https, difference, loadShare },
    })),
  );
}

function pricesCommand(request: PricesRequest, seed: number): string {
  const { target } = request;
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll prices',
    ...(target.kind === 'managed' ? [] : [...options, ...processOptions]),
    ...flagsOf(pricesOptions, { ...request, seed }),
  ].join(' ');
}
