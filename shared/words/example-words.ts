import type { Environment } from '../base/environment.ts';
import { printDay } from '../base/moment.ts';

type Measured = { createdAt: number; environment: Pick<Environment, 'cpuModel' | 'cores'> };

/** `Example, measured on AMD EPYC (2 cores), 21 November 2026.` */
export function exampleInWords(measured: Measured): string {
  return `Example, ${whereAndWhen(measured)}.`;
}

/** `measured on AMD EPYC (2 cores), 21 November 2026` */
export function whereAndWhen({ createdAt, environment: { cpuModel, cores } }: Measured): string {
  return `measured on ${cpuModel} (${cores} ${cores === 1 ? 'core' : 'cores'}), ${printDay(createdAt)}`;
}
