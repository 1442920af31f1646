import { printChange, printChangeInterval, printNumber } from '../../../../shared/base/quantity.ts';
import { handshakeSentences } from '../../../../shared/historic/handshakes-then-and-now.ts';
import {
  type CellResult,
  groupInWords,
  type HandshakesFacts,
  type MeasuredCell,
} from '../../../../shared/kinds/lab/lab.ts';
import { alignColumns, textOf } from '../../../base/text/terminal-parts.ts';

type LabFigures = Omit<HandshakesFacts, 'seed'>;

const header = [
  ...['version', 'suite', 'key', 'group', 'bytes', 'session', 'µs CPU', 'p5', 'p95', 'mean', 'user'],
  ...['conn/s', 'change', '95 % CI', 'bytes →', 'bytes ←', 'flights', 'client', 'server'],
];

/** The grid for a terminal: a row a cell, what was not negotiated below, and what the figures are of. */
export function printLabTable({ plan, cells, baseline, plain, warnings }: LabFigures): string {
  const measured = cells.filter((cell) => cell.status === 'measured');
  const others = cells.filter((cell) => cell.status !== 'measured');
  const lines = measured.length === 0 ? [] : alignColumns([header, ...measured.map(rowOf)], 'llllr');
  if (baseline !== null) {
    lines.push('', `Change is against ${baseline.cell.id}, ${printNumber(baseline.cpuUs.median, 0)} µs.`);
  }
  if (plain.length > 0) {
    const shares = plain.map(
      ({ bytes, cpuUs }) => `${printNumber(cpuUs.median, 0)} µs with ${printNumber(bytes, 0)} B`,
    );
    lines.push(`The same streams without TLS take ${shares.join(', ')}. Every cell includes this cost.`);
  }
  lines.push(
    `µs CPU: user and system time of both ends, median of single connections; ${plan.rounds} rounds, up to ${printNumber(plan.connectionsPlanned, 0)} connections per cell, ${plan.warmUps} to warm up. Client and server: µs of each in its own process, over a socket.`,
    ...warnings,
    ...printOthers(others),
    ...handshakeSentences(cells),
  );
  return textOf(lines);
}

function rowOf(result: MeasuredCell): string[] {
  const { cell, cpuUs, userUs, connectionsPerS, ratio, wire, ends } = result;
  const whole = (value: number) => printNumber(value, 0);
  return [
    ...[cell.version, cell.cipher, cell.key, groupInWords(cell) ?? '–', whole(cell.bytes), cell.resumption],
    ...[cpuUs.median, cpuUs.p5, cpuUs.p95, cpuUs.mean, userUs.mean, connectionsPerS].map(whole),
    ratio === null ? '–' : printChange(ratio.center),
    ratio === null ? '–' : printChangeInterval(ratio),
    whole(wire.withTicketsBytes.clientToServer),
    whole(wire.withTicketsBytes.serverToClient),
    `${wire.flights}${wire.helloRetry ? ' HRR' : ''}`,
    ends === null ? '–' : whole(ends.clientCpuUs.center),
    ends === null ? '–' : whole(ends.serverCpuUs.center),
  ];
}

/** One line for all sizes and sessions that go without for one reason. */
function printOthers(results: readonly Exclude<CellResult, MeasuredCell>[]): string[] {
  const lines = results.map(({ status, cell, reason }) => {
    const configuration = [cell.version, cell.cipher, cell.key, groupInWords(cell)].filter(
      (part) => part !== null,
    );
    return `${configuration.join(' ')}: ${status === 'failed' ? 'failed' : 'not negotiated'}: ${reason}`;
  });
  return [...new Set(lines)];
}
