import { randomInt } from 'node:crypto';
import { linkWord } from '../../../shared/kinds/comparison/link-text.ts';
import {
  type DistanceDocument,
  type DistanceFacts,
  type DistanceRequest,
  distanceDocumentSchema,
  distanceFactsSchema,
  distanceHeadline,
  distanceRequestSchema,
  distanceSchemaVersion,
} from '../../../shared/kinds/distance/distance.ts';
import { distanceFinding } from '../../../shared/report/distance-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { blockless, type Kind } from '../kind.ts';
import {
  DistanceNotes,
  distanceChanges,
  distanceCommand,
  distanceRows,
  planDistance,
} from './distance-notes.ts';

/** Cost of a new connection at a distance, in round trips and in ms. */
export const distance: Kind<DistanceRequest, DistanceFacts, never, DistanceDocument, unknown> = {
  name: 'distance',
  noun: 'a distance measurement',
  caption: 'New connections at a distance',
  page: 'l',
  requestSchema: distanceRequestSchema,
  factsSchema: distanceFactsSchema,
  blockSchema: blockless,
  documentSchema: distanceDocumentSchema,
  documentVersion: distanceSchemaVersion,
  upgraders: {},
  title: ({ links }) => `New connections over ${links.map(linkWord).join(', ')}`,
  targets: () => [],
  async prepare(request) {
    const seed = request.seed ?? randomInt(2 ** 31);
    planDistance(request, seed);
    const nothing = new DistanceNotes(request).summarise();
    return { facts: { seed, ...nothing, rows: [] }, summary: {}, revisionId: null };
  },
  secretsOf: () => [],
  async conduct(task, watch) {
    const { conductDistance } = await import('./conduct-distance.ts');
    return conductDistance(task, watch);
  },
  documentOf: (frame, { facts }) => ({
    schemaVersion: distanceSchemaVersion,
    kind: 'distance',
    ...frame,
    command: distanceCommand(frame.request, facts.seed),
    ...facts,
  }),
  summaryOf: () => ({}),
  rows: distanceRows,
  report: (document) => reportOf(document, distanceFinding(document)),
  headline: distanceHeadline,
  changes: (from, to) => changesOfFigures(distanceChanges, from, to),
};
