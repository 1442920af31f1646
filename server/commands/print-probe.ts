import type { ProbeReport, VersionReport } from '../../shared/probe.ts';
import { connectionCells, connectionColumns, probeFacts, versionNames } from '../../shared/probe-lines.ts';
import { printNumber } from '../../shared/quantity.ts';

/** A resumption proof for a terminal. Ends with a line feed. */
export function printProbe({ origin, address, verdict, trust, versions }: ProbeReport): string {
  const lines = [
    verdict,
    '',
    `${origin} at ${address}. ${trust === null ? '' : trust.message}`.trim(),
    ...versions.flatMap((version) => ['', ...versionLines(version)]),
  ];
  return `${lines.map(plain).join('\n')}\n`;
}

function versionLines(report: VersionReport): string[] {
  const name = versionNames[report.version];
  if (report.status === 'refused') return [`${name}: ${report.reason}`];
  const certificates = report.certificates.map(
    ({ subject, issuer, key, bytes, validTo }) =>
      `  ${subject}, signed by ${issuer}, ${key}, until ${validTo}, ${printNumber(bytes, 0)} bytes`,
  );
  return [
    name,
    ...probeFacts(report).map(([fact, value]) => `  ${fact}: ${value}`),
    ...certificates,
    ...align([[...connectionColumns], ...report.connections.map(connectionCells)]).map((line) => `  ${line}`),
  ];
}

/** Words to the left, numbers to the right. */
function align(rows: readonly string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
}

/** A terminal obeys control characters, and names come from outside. */
function plain(line: string): string {
  return line.replace(/\p{Cc}/gu, '\ufffd');
}
