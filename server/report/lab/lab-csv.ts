import type { LabDocument } from '../../../shared/lab-document.ts';
import { printGridCsv } from './grid-csv.ts';
import { printSpeedCsv } from './speed-csv.ts';

/** A measurement of the lab, one row a figure. */
export function printLabCsv(document: LabDocument): string {
  return document.kind === 'speed' ? printSpeedCsv(document) : printGridCsv(document);
}
