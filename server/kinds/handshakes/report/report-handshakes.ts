import {
  printChange,
  printChangeInterval,
  printFactor,
  printNumber,
} from '../../../../shared/base/quantity.ts';
import {
  type CellResult,
  groupInWords,
  type HandshakesDocument,
  type MeasuredCell,
} from '../../../../shared/kinds/handshakes/handshakes.ts';
import { sentencesOf } from '../../../../shared/kinds/handshakes/handshakes-sentence.ts';
import {
  handshakeSentences,
  handshakesThenAndNow,
} from '../../../../shared/studies/then-and-now/handshakes-then-and-now.ts';
import { reportOf } from '../../../base/text/report/common-sections.ts';
import {
  figures,
  list,
  type Part,
  type Report,
  type ReportCell,
  table,
  text,
  texts,
} from '../../../base/text/report/report.ts';

/** A handshake grid: a row a cell, what was not negotiated, and 1997 beside it. */
export function reportHandshakes(document: HandshakesDocument): Report {
  const { request, plan, cells, plain } = document;
  const grid = typeof request.grid === 'string' ? `the grid "${request.grid}"` : 'a custom grid';
  const measured = cells.filter((cell) => cell.status === 'measured');
  return reportOf(document, {
    title: `What a TLS connection costs: ${grid}`,
    lead: [text(...sentencesOf(document))],
    measured: `${plan.cells} cells, ${plan.rounds} of ${plan.roundsPlanned} rounds in random order, both ends in one process through memory.`,
    about: [
      `µs CPU: user and system time of both ends, median of up to ${printNumber(plan.connectionsPlanned, 0)} single connections per cell, after ${plan.warmUps} to warm up; user: the user part of it. Client and server: µs of each in its own process, over a socket.`,
      ...baselineOf(document),
    ],
    sections: [
      { heading: 'Cells', parts: [table(cellColumns, measured.map(cellsOf))] },
      {
        heading: 'The same streams without TLS, included in every figure above',
        parts: [
          table(
            figures('Bytes each way', 'µs CPU', 'p5', 'p95'),
            plain.map(({ bytes, cpuUs }) => [bytes, cpuUs.median, cpuUs.p5, cpuUs.p95].map(whole)),
          ),
        ],
      },
      { heading: 'Then and now', parts: [text(...handshakeSentences(cells)), thenAndNow(document)] },
      { heading: 'Not measured', parts: [list(othersOf(cells))] },
    ],
  });
}

function baselineOf({ baseline }: HandshakesDocument): string[] {
  if (baseline === null) return [];
  return [
    `Change is against ${baseline.cell.id}, ${whole(baseline.cpuUs.median)} µs, in the same round, with 95 % CI.`,
  ];
}

const cellColumns = [
  ...texts('Version', 'Suite', 'Key', 'Group'),
  ...figures('Bytes'),
  ...texts('Session'),
  ...figures('µs CPU', 'p5', 'p95', 'Mean', 'User', 'Conn/s', 'Change', '95 % CI'),
  ...figures('Bytes →', 'Bytes ←', 'With tickets', 'Flights', 'Client', 'Server'),
];

function cellsOf({ cell, cpuUs, userUs, connectionsPerS, ratio, wire, ends }: MeasuredCell): ReportCell[] {
  return [
    ...[cell.version, cell.cipher, cell.key, groupInWords(cell), whole(cell.bytes), cell.resumption],
    ...[cpuUs.median, cpuUs.p5, cpuUs.p95, cpuUs.mean, userUs.median, connectionsPerS].map(whole),
    ratio === null ? null : printChange(ratio.center),
    ratio === null ? null : printChangeInterval(ratio),
    whole(wire.handshakeBytes.clientToServer),
    whole(wire.handshakeBytes.serverToClient),
    whole(wire.withTicketsBytes.serverToClient),
    `${wire.flights}${wire.helloRetry ? ' HRR' : ''}`,
    ends === null ? null : whole(ends.clientCpuUs.center),
    ends === null ? null : whole(ends.serverCpuUs.center),
  ];
}

/** Beside the table of 1997, where the grid has its cells. */
function thenAndNow({ cells }: HandshakesDocument): Part {
  const rows = handshakesThenAndNow(cells).flatMap(({ old, resumption, thenUserUs, nowUserUs, factor }) =>
    factor === null || nowUserUs === null
      ? []
      : [
          [
            `${old.protocol} ${old.cipher}, RSA ${old.rsaBits}, ${resumption}`,
            whole(old.bytesEachWay),
            whole(thenUserUs),
            whole(nowUserUs),
            printFactor(factor),
          ],
        ],
  );
  return table([...texts('1997'), ...figures('Bytes', 'µs then', 'µs now', 'Speedup')], rows);
}

/** One line for all sizes and sessions that go without for one reason. */
function othersOf(cells: readonly CellResult[]): string[] {
  const lines = cells.flatMap((result) => {
    if (result.status === 'measured') return [];
    const { status, cell, reason } = result;
    const configuration = [cell.version, cell.cipher, cell.key, groupInWords(cell)].filter(
      (part) => part !== null,
    );
    return [`${configuration.join(' ')}: ${status === 'failed' ? 'failed' : 'not negotiated'}: ${reason}`];
  });
  return [...new Set(lines)];
}

function whole(value: number): string {
  return printNumber(value, 0);
}
