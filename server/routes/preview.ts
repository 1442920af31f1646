import { z } from 'zod';
import { verdictOutcomeSchema } from '../../shared/comparison.ts';
import type { Summary } from '../measurement/measurements.ts';
import { escapeMarkup } from '../text/escape-markup.ts';

/** What a chat or a search engine shows of a link. Source: ogp.me. */
export type Preview = { title: string; description: string };

const foundSchema = z.object({
  title: z.string(),
  state: z.string(),
  /** Only of kinds that have one. */
  verdict: z.object({ sentence: z.string(), outcome: verdictOutcomeSchema }).nullish(),
});

/** What the line of a list tells of what was found. */
export function foundIn(summary: Summary): z.infer<typeof foundSchema> {
  return foundSchema.parse(summary);
}

/** The verdict where there is one, otherwise what was measured and how far it is. */
export function previewOf(summary: Summary): Preview {
  const { title, state, verdict } = foundIn(summary);
  if (verdict == null) return { title, description: `Measured by TLS Toll: ${state}.` };
  return { title: verdict.sentence, description: `${title}, measured by TLS Toll.` };
}

/** The client's page with a title and a description of its own. */
export function withPreview(page: string, { title, description }: Preview): string {
  const tags = [
    `<title>${escapeMarkup(title)} · TLS Toll</title>`,
    `<meta property="og:title" content="${escapeMarkup(title)}" />`,
    `<meta property="og:description" content="${escapeMarkup(description)}" />`,
    '<meta property="og:site_name" content="TLS Toll" />',
    '<meta property="og:type" content="article" />',
  ];
  // A function, as a replacement text would give `$&` in a title a meaning.
  return page.replace('<title>TLS Toll</title>', () => tags.join('\n    '));
}
