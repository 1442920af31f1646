import type { LabDocument } from '../../../shared/lab-document.ts';
import { printGridMarkdown } from './grid-markdown.ts';
import { printSpeedMarkdown } from './speed-markdown.ts';

/** A measurement of the lab as a report in Markdown. */
export function printLabMarkdown(document: LabDocument): string {
  return document.kind === 'speed' ? printSpeedMarkdown(document) : printGridMarkdown(document);
}
