import { randomInt } from 'node:crypto';
import {
  type SpeedDocument,
  type SpeedFacts,
  type SpeedRequest,
  speedDocumentSchema,
  speedFactsSchema,
  speedRequestSchema,
  speedSchemaVersion,
} from '../../../shared/kinds/speed/speed.ts';
import { speedFinding, speedHeadline } from '../../../shared/report/speed-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { blockless, type Kind } from '../kind.ts';
import { figureRows, SpeedNotes } from './speed-notes.ts';
import { planSpeed, speedChanges, speedCommand } from './speed-plan.ts';

/** Cost of the primitives of TLS, in this runtime and in `openssl speed`. */
export const speed: Kind<SpeedRequest, SpeedFacts, never, SpeedDocument, unknown> = {
  name: 'speed',
  noun: 'a speed measurement',
  caption: 'Speed in the TLS lab',
  page: 'l',
  requestSchema: speedRequestSchema,
  factsSchema: speedFactsSchema,
  blockSchema: blockless,
  documentSchema: speedDocumentSchema,
  documentVersion: speedSchemaVersion,
  upgraders: {},
  title(request) {
    const { tasks } = planSpeed(request);
    const names = request.names?.join(', ') ?? 'all';
    return `Speed: ${names}, ${tasks.length} ${tasks.length === 1 ? 'figure' : 'figures'}`;
  },
  targets: () => [],
  async prepare(request) {
    const nothing = new SpeedNotes(planSpeed(request)).summarise({ node: process.versions.openssl });
    const seed = request.seed ?? randomInt(2 ** 31);
    return { facts: { seed, ...nothing }, summary: {}, revisionId: null };
  },
  secretsOf: () => [],
  async conduct(task, watch) {
    const { conductSpeed } = await import('./conduct-speed.ts');
    return conductSpeed(task, watch);
  },
  documentOf: (frame, { facts }) => ({
    schemaVersion: speedSchemaVersion,
    kind: 'speed',
    ...frame,
    command: speedCommand(frame.request, facts.seed),
    ...facts,
  }),
  summaryOf: () => ({}),
  rows: figureRows,
  report: (document) => reportOf(document, speedFinding(document)),
  headline: ({ rows }) => speedHeadline(rows),
  changes: (from, to) => changesOfFigures(speedChanges, from, to),
};
