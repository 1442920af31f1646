import { printNumber } from '../../../shared/base/quantity.ts';
import type { ProbeReport, VersionReport } from '../../../shared/target/probe.ts';
import {
  connectionCells,
  connectionColumns,
  probeFacts,
  versionNames,
} from '../../../shared/words/probe-lines.ts';
import { alignColumns, textOf } from '../../base/text/terminal-parts.ts';

/** A resumption proof for a terminal. Ends with a line feed. */
export function printProbe({ origin, address, verdict, trust, versions }: ProbeReport): string {
  const lines = [
    verdict,
    '',
    `${origin} at ${address}. ${trust === null ? '' : trust.message}`.trim(),
    ...versions.flatMap((version) => ['', ...versionLines(version)]),
  ];
  return textOf(lines);
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
    ...alignColumns([[...connectionColumns], ...report.connections.map(connectionCells)], 'llr').map(
      (line) => `  ${line}`,
    ),
  ];
}
