import { randomInt } from 'node:crypto';
import { flagsOf } from '../../../shared/base/option.ts';
import { problemAt } from '../../../shared/base/problem.ts';
import { pricesOptions } from '../../../shared/kinds/prices/options.ts';
import {
  type PricesRequest,
  pricesDocumentSchema,
  pricesHeadline,
  prices as shapes,
} from '../../../shared/kinds/prices/prices.ts';
import { pricesFinding } from '../../../shared/report/prices-report.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten } from '../../base/text/terminal.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { defineKind } from '../define-kind.ts';
import { demandHere } from '../demand-here.ts';
import { listPrices, pricesAsked } from './price-list.ts';

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
    rounds: blocks,
  }),
  rows: flatten(pricesDocumentSchema.pick({ items: true })),
  report: (document) => reportOf(document, pricesFinding(document)),
  headline: pricesHeadline,
  compared: {
    figure: 'us',
    lead: 'What HTTPS adds to each price, µs of server CPU.',
    figuresOf: ({ items }) =>
      items
        .filter(({ unit }) => unit === 'us')
        .map(({ id, title, difference }) => ({ id, name: title, estimate: difference })),
    setupOf: ({ request, server }) => [
      {
        name: 'Server',
        value: server === null ? factsOf(request.target).name : `${server.title} ${server.version}`,
      },
      ...(request.target.kind === 'managed' ? [{ name: 'Key', value: request.target.key }] : []),
      { name: 'Document', value: request.document ?? 'none' },
    ],
  },
});

/** Throws invalid_request for a target that cannot have a list, before anything is started. */
function demandPossible({ target }: PricesRequest): void {
  if (target.kind === 'storefront')
    throw problemAt(
      'invalid_request',
      'target',
      'the storefront has no documents of given sizes; choose a server such as nginx',
    );
  if (target.kind !== 'origins') return;
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

function pricesCommand(request: PricesRequest, seed: number): string {
  const { target } = request;
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll prices',
    ...(target.kind === 'managed' ? [] : [...options, ...processOptions]),
    ...flagsOf(pricesOptions, { ...request, seed }),
  ].join(' ');
}
