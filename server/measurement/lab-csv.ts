import type { LabDocument } from '../../shared/lab-document.ts';
import { printGridCsv } from '../kinds/handshakes/report/grid-csv.ts';
import { printBrowserCsv } from '../kinds/journey/report/journey-csv.ts';
import { printSpeedCsv } from '../kinds/primitives/report/speed-csv.ts';

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
