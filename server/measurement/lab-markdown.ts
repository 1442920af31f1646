import type { LabDocument } from '../../shared/lab-document.ts';
import { printGridMarkdown } from '../kinds/handshakes/report/grid-markdown.ts';
import { printBrowserMarkdown } from '../kinds/journey/report/journey-markdown.ts';
import { printSpeedMarkdown } from '../kinds/primitives/report/speed-markdown.ts';

/** A measurement of the lab as a report in Markdown. */
export function printLabMarkdown(document: LabDocument): string {
  switch (document.kind) {
    case 'handshakes':
      return printGridMarkdown(document);
    case 'speed':
      return printSpeedMarkdown(document);
    case 'browser':
      return printBrowserMarkdown(document);
  }
}
