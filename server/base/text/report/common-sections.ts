import type { Environment } from '../../../../shared/base/environment.ts';
import { printNumber } from '../../../../shared/base/quantity.ts';
import type { SetupDifference } from '../../../../shared/kinds/comparison/result-changes.ts';
import type { MeasurementDocument } from '../../../../shared/measurement/kinds.ts';
import {
  type Finding,
  list,
  type Report,
  type Section,
  table,
  text,
  texts,
} from '../../../../shared/report/report.ts';

/** Sections that reports of several kinds have. */

/** A report that begins with the measurement it is of, and ends with where that ran and how to repeat it. */
export function reportOf(
  document: MeasurementDocument,
  { title, lead, measured, about = [], notes = [], sections, where = [] }: Finding,
): Report {
  const { id, createdAt, state, problem, warnings, environment, command } = document;
  const name = `Measurement ${id} of ${new Date(createdAt).toISOString()}, ${state}`;
  return {
    ...{ title, lead },
    about: [measured === undefined ? `${name}.` : `${name}: ${measured}`, ...about],
    notes: [...(problem === null ? [] : [`${problem.detail} ${problem.advice}`]), ...notes, ...warnings],
    sections: [...sections, whereSection(environment, where), repeatSection(command)],
  };
}

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
