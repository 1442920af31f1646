import type { LabDocument } from '../../../shared/lab-document.ts';
import { printBrowserMarkdown } from './browser-markdown.ts';
import { printGridMarkdown } from './grid-markdown.ts';
import { printSpeedMarkdown } from './speed-markdown.ts';

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
