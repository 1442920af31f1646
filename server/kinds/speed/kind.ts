import { randomInt } from 'node:crypto';
import { printNumber } from '../../../shared/base/quantity.ts';
import { speed as shapes, speedDocumentSchema } from '../../../shared/kinds/speed/speed.ts';
import { speedFinding, speedHeadline } from '../../../shared/report/speed-report.ts';
import { reportOf } from '../../base/text/report.ts';
import { flatten } from '../../base/text/terminal.ts';
import { defineKind } from '../define-kind.ts';
import { SpeedNotes } from './speed-notes.ts';
import { planSpeed } from './speed-plan.ts';

/** Cost of the primitives of TLS, in this runtime and in `openssl speed`. */
export const speed = defineKind(shapes, {
  noun: 'a speed measurement',
  caption: 'Speed in the TLS lab',
  page: 'l',
  title(request) {
    const { tasks } = planSpeed(request);
    const names = request.names?.join(', ') ?? 'all';
    return `Speed: ${names}, ${tasks.length} ${tasks.length === 1 ? 'figure' : 'figures'}`;
  },
  async prepare(request) {
    const nothing = new SpeedNotes(planSpeed(request)).summarise({ node: process.versions.openssl });
    return { facts: { seed: request.seed ?? randomInt(2 ** 31), ...nothing } };
  },
  conduct: async (task, watch) => (await import('./conduct-speed.ts')).conductSpeed(task, watch),
  documentOf: (head, { facts }) => ({ ...head, ...facts }),
  rows: flatten(speedDocumentSchema.pick({ rows: true })),
  report: (document) => reportOf(document, speedFinding(document)),
  headline: ({ rows }) => speedHeadline(rows),
  compared: {
    figure: 'per_second',
    lead: 'Operations per second of CPU time.',
    figuresOf: ({ rows }) =>
      rows.map(({ id, operationsPerS }) => ({
        id,
        name: id.replaceAll('/', ' / '),
        estimate: operationsPerS,
      })),
    setupOf: ({ plan, opensslProgram }) => [
      { name: 'Rounds', value: printNumber(plan.rounds, 0) },
      { name: 'openssl speed', value: opensslProgram ?? 'none' },
    ],
  },
});
