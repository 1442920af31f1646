import type { Environment } from '../base/environment.ts';
import { printDay } from '../base/moment.ts';

type Machine = Pick<Environment, 'cpuModel' | 'cores'>;
type Measured = { createdAt: number; environment: Machine };

/** `Example, measured on AMD EPYC (2 cores), 21 November 2026.` */
export function exampleInWords(measured: Measured): string {
  return `Example, ${whereAndWhen(measured)}.`;
}

/** `measured on AMD EPYC (2 cores), 21 November 2026` */
export function whereAndWhen({ createdAt, environment: { cpuModel, cores } }: Measured): string {
  return `measured on ${cpuModel} (${cores} ${cores === 1 ? 'core' : 'cores'}), ${printDay(createdAt)}`;
}

/** Note on examples among the studies; null if each figure was measured here, or nothing was. */
export function examplesInWords(
  measurements: readonly { measured: (Machine & { createdAt: number; isExample: boolean }) | null }[],
): string | null {
  const examples = measurements.flatMap(({ measured }) => (measured?.isExample ? [measured] : []));
  if (examples.length === 0) return null;
  const places = new Set(
    examples.map(({ createdAt, ...environment }) => whereAndWhen({ createdAt, environment })),
  );
  return `Where nothing was measured here, the figures are examples, ${listed([...places])}.`;
}

const conjunction = new Intl.ListFormat('en-US');

/** `a`, `a and b`, `a, b, and c`. */
export function listed(parts: readonly string[]): string {
  return conjunction.format(parts);
}
