import { randomInt } from 'node:crypto';
import { flagsOf } from '../../../shared/base/option.ts';
import { sizesOptions } from '../../../shared/kinds/sizes/options.ts';
import { sizes as shapes } from '../../../shared/kinds/sizes/size-progress.ts';
import { sizesHeadline } from '../../../shared/kinds/sizes/size-words.ts';
import type { SizesRequest } from '../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { defineKind } from '../define-kind.ts';
import { demandHere } from '../demand-here.ts';
import { sizeRows } from './size-samples.ts';
import { analyseSizes, sizesWarnings } from './sizes-document.ts';
import { demandPossible, sizesAsked } from './sizes-plan.ts';
import { reportSizes, sizeFigures } from './sizes-report.ts';

/** Duration of a request by the size of its document. */
export const sizes = defineKind<typeof shapes, ConfiguredHouse>(shapes, {
  noun: 'a sweep over sizes',
  caption: 'Sizes',
  page: 'r',
  title: ({ target, sizes: asked }) => `${asked.length} document sizes on ${factsOf(target).name}`,
  targets: ({ target }) => [factsOf(target).name],
  async prepare(request, _secrets, house) {
    demandPossible(request);
    await demandHere({ target: request.target, ...sizesAsked }, house, 'A sweep over sizes');
    const unknown = { negotiated: null, connectUs: null };
    return {
      facts: {
        seed: request.seed ?? randomInt(2 ** 31),
        server: null,
        load: null,
        placement: null,
        arms: [
          { arm: 'http', suite: null, ...unknown },
          ...request.suites.map((suite, arm) => ({ arm, suite, ...unknown })),
        ],
        linkBytesPerS: null,
        warnings: [],
      },
    };
  },
  resumable: true,
  conduct: async (task, watch, house) =>
    (await import('./conduct-sizes.ts')).conductSizes(task, watch, house),
  command: sizesCommand,
  documentOf: (head, { facts, blocks }) => ({
    ...{ ...head, rounds: blocks, ...facts },
    ...analyseSizes(head.request, facts, blocks),
    warnings: [...facts.warnings, ...sizesWarnings(blocks)],
  }),
  figuresOf: sizeFigures,
  rows: sizeRows,
  report: reportSizes,
  headline: sizesHeadline,
});

/** The command that repeats a sweep: the same visits in the same order. */
export function sizesCommand(request: SizesRequest, seed: number): string {
  const { target } = request;
  const { options, processOptions } = factsOf(target);
  return [
    'npx tls-toll sizes',
    ...(target.kind === 'managed' ? [] : [...options, ...processOptions]),
    ...flagsOf(sizesOptions, { ...request, seed }),
  ].join(' ');
}
