import type { LabDocument } from '../../../shared/lab-document.ts';
import { printBrowserCsv } from './browser-csv.ts';
import { printGridCsv } from './grid-csv.ts';
import { printSpeedCsv } from './speed-csv.ts';

/** A measurement of the lab, one row a figure. */
export function printLabCsv(document: LabDocument): string {
  switch (document.kind) {
    case 'handshakes':
      return printGridCsv(document);
    case 'speed':
      return printSpeedCsv(document);
    case 'browser':
      return printBrowserCsv(document);
  }
}
