import { randomInt } from 'node:crypto';
import { flagsOf } from '../../../shared/base/option.ts';
import { printNumber } from '../../../shared/base/quantity.ts';
import {
  type HandshakesRequest,
  handshakesDocumentSchema,
  handshakesHeadline,
  handshakes as shapes,
} from '../../../shared/kinds/handshakes/handshakes.ts';
import { gridOptions, presetOptions } from '../../../shared/kinds/handshakes/options.ts';
import { handshakesFinding } from '../../../shared/report/handshakes-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten } from '../../base/text/terminal.ts';
import { defineKind } from '../define-kind.ts';
import { planHandshakes } from './handshakes-plan.ts';

/** Cost of a connection, both ends in one process, for every cell of a grid. */
export const handshakes = defineKind(shapes, {
  noun: 'a handshake measurement',
  caption: 'Handshakes in the TLS lab',
  page: 'l',
  title(request, { plan }) {
    const name = typeof request.grid === 'string' ? gridNames[request.grid] : 'custom grid';
    return `Handshakes: ${name}, ${plan.cells} ${plan.cells === 1 ? 'combination' : 'combinations'}`;
  },
  async prepare(request) {
    const { cells, rounds, warmUps, connections } = planHandshakes(request);
    const plan = {
      ...{ cells: cells.length, warmUps, rounds: 0, roundsPlanned: rounds },
      connectionsPlanned: connections,
    };
    const seed = request.seed ?? randomInt(2 ** 31);
    return { facts: { seed, plan, cells: [], baseline: null, plain: [], warnings: [] } };
  },
  conduct: async (task, watch) => (await import('./conduct-handshakes.ts')).conductHandshakes(task, watch),
  command: handshakesCommand,
  documentOf: (head, { facts }) => ({ ...head, ...facts }),
  rows: flatten(handshakesDocumentSchema.pick({ cells: true })),
  report: (document) => reportOf(document, handshakesFinding(document)),
  headline: handshakesHeadline,
  compared: {
    figure: 'multiple',
    lead: 'CPU per connection, as a multiple of the reference in the same run.',
    figuresOf: ({ cells }) =>
      cells.flatMap((result) =>
        result.status === 'measured' && result.ratio !== null
          ? [{ id: result.cell.id, name: result.cell.id.replaceAll('/', ' / '), estimate: result.ratio }]
          : [],
      ),
    setupOf: ({ plan, baseline }) => [
      { name: 'Rounds', value: printNumber(plan.rounds, 0) },
      { name: 'Reference', value: baseline?.cell.id ?? 'none' },
    ],
  },
});

const gridNames = {
  classic: '1997 study',
  today: 'today',
  'post-quantum': 'post-quantum',
  everything: 'everything',
};

/** The command that repeats a measurement: the same cells, in the same order where one has been drawn. */
export function handshakesCommand(request: HandshakesRequest, seed: number | null): string {
  const { grid } = request;
  const [only, other] = typeof grid === 'string' ? [] : (grid.resumption ?? []);
  return [
    'npx tls-toll handshakes',
    ...flagsOf(typeof grid === 'string' ? presetOptions : axes, request),
    ...(only === undefined || other !== undefined ? [] : [only === 'resumed' ? '--reuse' : '--no-reuse']),
    ...flagsOf(others, { ...request, seed }),
  ].join(' ');
}

const axes = gridOptions.filter(({ part }) => part === 'grid');
const others = gridOptions.filter(({ part }) => part === null);
