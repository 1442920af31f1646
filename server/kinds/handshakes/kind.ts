import { randomInt } from 'node:crypto';
import {
  type HandshakesDocument,
  type HandshakesFacts,
  type HandshakesRequest,
  handshakesDocumentSchema,
  handshakesFactsSchema,
  handshakesHeadline,
  handshakesRequestSchema,
  handshakesSchemaVersion,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { handshakesFinding } from '../../../shared/report/handshakes-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { changesOfFigures } from '../compare-figures.ts';
import { blockless, type Kind } from '../kind.ts';
import { gridRows, handshakeChanges, handshakesCommand } from './handshakes-notes.ts';
import { planHandshakes } from './handshakes-plan.ts';

/** Cost of a connection, both ends in one process, for every cell of a grid. */
export const handshakes: Kind<HandshakesRequest, HandshakesFacts, never, HandshakesDocument, unknown> = {
  name: 'handshakes',
  noun: 'a handshake measurement',
  caption: 'Handshakes in the TLS lab',
  page: 'l',
  requestSchema: handshakesRequestSchema,
  factsSchema: handshakesFactsSchema,
  blockSchema: blockless,
  documentSchema: handshakesDocumentSchema,
  documentVersion: handshakesSchemaVersion,
  upgraders: {},
  title(request, { plan }) {
    const name = typeof request.grid === 'string' ? gridNames[request.grid] : 'custom grid';
    return `Handshakes: ${name}, ${plan.cells} ${plan.cells === 1 ? 'cell' : 'cells'}`;
  },
  targets: () => [],
  async prepare(request) {
    const { cells, rounds, warmUps, connections } = planHandshakes(request);
    const plan = {
      ...{ cells: cells.length, warmUps, rounds: 0, roundsPlanned: rounds },
      connectionsPlanned: connections,
    };
    const seed = request.seed ?? randomInt(2 ** 31);
    const facts = { seed, plan, cells: [], baseline: null, plain: [], warnings: [] };
    return { facts, summary: {}, revisionId: null };
  },
  secretsOf: () => [],
  async conduct(task, watch) {
    const { conductHandshakes } = await import('./conduct-handshakes.ts');
    return conductHandshakes(task, watch);
  },
  documentOf: (frame, { facts }) => ({
    schemaVersion: handshakesSchemaVersion,
    kind: 'handshakes',
    ...frame,
    command: handshakesCommand(frame.request, facts.seed),
    ...facts,
  }),
  summaryOf: () => ({}),
  rows: gridRows,
  report: (document) => reportOf(document, handshakesFinding(document)),
  headline: handshakesHeadline,
  changes: (from, to) => changesOfFigures(handshakeChanges, from, to),
};

const gridNames = {
  classic: '1997 study',
  today: 'today',
  'post-quantum': 'post-quantum',
  everything: 'everything',
};
