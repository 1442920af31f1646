import { randomInt } from 'node:crypto';
import { overlaid } from '../../../shared/kinds/comparison/result-changes.ts';
import { sizesHeadline } from '../../../shared/kinds/sizes/size-words.ts';
import {
  type SizeRound,
  type SizesDocument,
  type SizesFacts,
  type SizesRequest,
  sizeRoundSchema,
  sizesDocumentSchema,
  sizesFactsSchema,
  sizesRequestSchema,
  sizesSchemaVersion,
} from '../../../shared/kinds/sizes/sizes.ts';
import { factsOf } from '../../../shared/target/target-facts.ts';
import type { ConfiguredHouse } from '../apparatus.ts';
import { demandHere } from '../demand-here.ts';
import type { Kind } from '../kind.ts';
import { visitRows } from './size-samples.ts';
import { sizesDocumentOf } from './sizes-document.ts';
import { demandPossible, sizesAsked } from './sizes-plan.ts';
import { reportSizes, sizeFigures, sizesCommand } from './sizes-report.ts';

/** Duration of a request by the size of its document. */
export const sizes: Kind<SizesRequest, SizesFacts, SizeRound, SizesDocument, ConfiguredHouse> = {
  name: 'sizes',
  noun: 'a sweep over sizes',
  caption: 'Sizes',
  page: 'r',
  requestSchema: sizesRequestSchema,
  factsSchema: sizesFactsSchema,
  blockSchema: sizeRoundSchema,
  documentSchema: sizesDocumentSchema,
  documentVersion: sizesSchemaVersion,
  upgraders: {},
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
      summary: {},
      revisionId: null,
    };
  },
  resumable: true,
  secretsOf: () => [],
  async conduct(task, watch, house) {
    const { conductSizes } = await import('./conduct-sizes.ts');
    return conductSizes(task, watch, house);
  },
  documentOf: (frame, kept) => sizesDocumentOf(frame, kept, sizesCommand(frame.request, kept.facts.seed)),
  summaryOf: () => ({}),
  figuresOf: sizeFigures,
  rows: visitRows,
  report: reportSizes,
  headline: sizesHeadline,
  changes: ({ document: from }, { document: to }) => ({
    changes: overlaid('sizes', from.id, to.id),
    report: null,
  }),
};
