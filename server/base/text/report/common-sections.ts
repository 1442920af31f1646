import type { Environment } from '../../../../shared/base/environment.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { SetupDifference } from '../../../../shared/kinds/comparison/result-changes.ts';
import { list, type Section, table, text, texts } from './report.ts';

/** Sections that reports of several kinds have. */

/** @param facts what else was there, in sentences or phrases */
export function whereSection(environment: Environment, facts: readonly string[] = []): Section {
  const { cpuModel, cores, memoryBytes, governor, platform, kernel, node, openssl, product } = environment;
  return {
    heading: 'Where',
    isDetail: true,
    parts: [
      list([
        `${cpuModel}, ${cores} cores, ${printNumber(memoryBytes / 1e9, 1)} GB of memory, governor ${governor ?? 'unknown'}`,
        `${platform}, kernel ${kernel}`,
        `${product}, Node ${node}, OpenSSL ${openssl}`,
        ...facts,
      ]),
    ],
  };
}

export function setupSection(differences: readonly SetupDifference[]): Section {
  const rows = differences.map(({ name, from, to }) => [name, from, to]);
  return {
    heading: 'Set-up',
    parts: [
      rows.length === 0 ? text('Nothing differs in the set-up.') : table(texts('', 'First', 'Second'), rows),
    ],
  };
}

export function repeatSection(command: string): Section {
  return { heading: 'Repeat', isDetail: true, parts: [{ type: 'command', command }] };
}

/** `Measurement 7… of 2026-01-15T09:30:00.000Z, finished`. */
export function nameMeasurement({ id, createdAt, state }: Measured): string {
  return `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}`;
}

type Measured = { id: string; createdAt: number; state: string };
