import { printFactor, printNumber } from '../../../../shared/base/quantity.ts';
import {
  handshakeSentences,
  handshakesThenAndNow,
} from '../../../../shared/historic/handshakes-then-and-now.ts';
import {
  groupInWords,
  type HandshakesDocument,
  type MeasuredCell,
} from '../../../../shared/kinds/lab/lab.ts';
import { sentencesOf } from '../../../../shared/kinds/lab/lab-sentence.ts';
import { plainly, tableOf } from '../../../../shared/words/markdown-text.ts';
import { listOf, machineOf } from '../../../base/text/markdown-parts.ts';

/** A handshake grid as a report in Markdown. */
export function printGridMarkdown(document: HandshakesDocument): string {
  const measured = document.cells.filter((cell) => cell.status === 'measured');
  const others = document.cells.filter((cell) => cell.status !== 'measured');
  const sections = [
    `# What a TLS connection costs: ${plainly(gridName(document))}`,
    introduction(document),
    sentencesOf(document).map(plainly).join(' '),
    measured.length === 0 ? '' : cellTable(measured),
    plainPairs(document),
    thenAndNow(document),
    others.length === 0
      ? ''
      : `## Not measured\n\n${listOf(others.map(({ cell, reason }) => `${cell.id}: ${reason}`))}`,
    `## Where\n\n${machineOf(document.environment)}`,
    `## Repeat it\n\n    ${document.command}`,
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function gridName({ request: { grid } }: HandshakesDocument): string {
  return typeof grid === 'string' ? `the grid "${grid}"` : 'a custom grid';
}

function introduction({ id, createdAt, state, plan, baseline, warnings }: HandshakesDocument): string {
  return [
    `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}: ${plan.cells} cells, ${plan.rounds} of ${plan.roundsPlanned} rounds in random order, both ends in one process through memory. Ratios are against ${plainly(baseline?.cell.id ?? 'nothing')} in the same round, with 95 % CI.`,
    ...warnings.map((warning) => `**Note:** ${plainly(warning)}`),
  ].join('\n\n');
}

function cellTable(cells: readonly MeasuredCell[]): string {
  const header = [
    'Protocol and suite',
    'Key',
    'Group',
    'Bytes',
    'Handshake',
    'CPU, µs (median)',
    'p5 to p95',
    'User part, µs',
    'Connections/s',
    '÷ baseline',
    'Bytes to server / client',
    'With tickets',
    'Flights',
    'Server / client separately, µs',
  ];
  const rows = cells.map(({ cell, agreed, cpuUs, userUs, connectionsPerS, ratio, wire, ends }) => [
    `${agreed.version} ${agreed.cipher}`,
    cell.key,
    groupInWords(cell) ?? 'RSA',
    printNumber(cell.bytes, 0),
    cell.resumption,
    printNumber(cpuUs.median, 0),
    `${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)}`,
    printNumber(userUs.median, 0),
    printNumber(connectionsPerS, 0),
    ratio === null
      ? '–'
      : `${printNumber(ratio.center, 2)} (${printNumber(ratio.lo, 2)} to ${printNumber(ratio.hi, 2)})`,
    `${printNumber(wire.handshakeBytes.clientToServer, 0)} / ${printNumber(wire.handshakeBytes.serverToClient, 0)}`,
    printNumber(wire.withTicketsBytes.serverToClient, 0),
    `${wire.flights}${wire.helloRetry ? ', with a retry' : ''}`,
    ends === null
      ? '–'
      : `${printNumber(ends.serverCpuUs.center, 0)} / ${printNumber(ends.clientCpuUs.center, 0)}`,
  ]);
  return `## Cells\n\n${tableOf(header, rows)}`;
}

function plainPairs({ plain }: HandshakesDocument): string {
  if (plain.length === 0) return '';
  const rows = plain.map(({ bytes, cpuUs }) => [
    printNumber(bytes, 0),
    printNumber(cpuUs.median, 0),
    `${printNumber(cpuUs.p5, 0)} to ${printNumber(cpuUs.p95, 0)}`,
  ]);
  return `## Runtime overhead\n\nThe same streams without TLS, included in every figure above:\n\n${tableOf(['Bytes each way', 'CPU, µs (median)', 'p5 to p95'], rows)}`;
}

/** Beside the table of 1997, where the grid has its cells. */
function thenAndNow({ cells }: HandshakesDocument): string {
  const sentences = handshakeSentences(cells);
  const rows = handshakesThenAndNow(cells).flatMap(({ old, resumption, thenUserUs, nowUserUs, factor }) =>
    factor === null || nowUserUs === null
      ? []
      : [
          [
            `${old.protocol} ${old.cipher}, RSA ${old.rsaBits}, ${resumption}`,
            printNumber(old.bytesEachWay, 0),
            printNumber(thenUserUs, 0),
            printNumber(nowUserUs, 0),
            printFactor(factor),
          ],
        ],
  );
  if (sentences.length + rows.length === 0) return '';
  const table = tableOf(['1997', 'Bytes', 'µs then', 'µs now', 'Speedup'], rows);
  return ['## Then and now', ...sentences.map(plainly), ...(rows.length === 0 ? [] : [table])].join('\n\n');
}
