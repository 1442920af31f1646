import { z } from 'zod';
import { verdictOutcomeSchema } from '../../../shared/kinds/comparison/comparison.ts';
import { isOver, measurementStateSchema } from '../../../shared/measurement/measurement.ts';
import type { Identity } from '../../../shared/team/identity.ts';
import { identityMeta } from '../../../shared/team/identity-tag.ts';
import { pictureSize } from '../../base/text/digest-picture.ts';
import { escapeMarkup } from '../../base/text/escape-markup.ts';
import type { Summary } from '../../life/measurement/list/summary.ts';

/** What a chat or a search engine shows of a link. Source: ogp.me. */
export type Preview = {
  title: string;
  description: string;
  /** Whole address of its picture; null while there is none. */
  image: string | null;
};

const foundSchema = z.object({
  title: z.string(),
  generatedTitle: z.string(),
  state: measurementStateSchema,
  createdAt: z.number(),
  /** Only of kinds that have one. */
  verdict: z.object({ sentence: z.string(), outcome: verdictOutcomeSchema }).nullish(),
  /** As negotiated, of a run with TLS. */
  tls: z.string().optional(),
});

/** What the line of a list tells of what was found. */
export function foundIn(summary: Summary): z.infer<typeof foundSchema> {
  return foundSchema.parse(summary);
}

/**
 * The verdict where there is one, otherwise what was measured and how far it is.
 * @param origin of this server, as the reader addresses it
 */
export function previewOf(summary: Summary, origin: string): Preview {
  const { title, state, verdict, tls } = foundIn(summary);
  const image = isOver(state) ? `${origin}${summary.url}/og.png` : null;
  if (verdict == null) return { title, description: `Measured by TLS Toll: ${state}.`, image };
  const what = tls === undefined ? title : `${title}, ${tls}`;
  return { title: verdict.sentence, description: `${what}, measured by TLS Toll.`, image };
}

/** The client's page with a title and a description of its own. */
export function withPreview(page: string, { title, description, image }: Preview): string {
  const tags = [
    `<title>${escapeMarkup(title)} · TLS Toll</title>`,
    `<meta property="og:title" content="${escapeMarkup(title)}" />`,
    `<meta property="og:description" content="${escapeMarkup(description)}" />`,
    '<meta property="og:site_name" content="TLS Toll" />',
    '<meta property="og:type" content="article" />',
    ...(image === null ? [] : tagsOfImage(image, title)),
  ];
  // A function, as a replacement text would give `$&` in a title a meaning.
  return page.replace('<title>TLS Toll</title>', () => tags.join('\n    '));
}

/** The page with what it may know of its reader, so that it need not ask. */
export function withIdentity(page: string, identity: Identity): string {
  const tag = `<meta name="${identityMeta}" content="${escapeMarkup(JSON.stringify(identity))}" />`;
  return page.replace('<title>', () => `${tag}\n    <title>`);
}

function tagsOfImage(image: string, title: string): string[] {
  return [
    `<meta property="og:image" content="${escapeMarkup(image)}" />`,
    `<meta property="og:image:width" content="${pictureSize.width}" />`,
    `<meta property="og:image:height" content="${pictureSize.height}" />`,
    `<meta property="og:image:alt" content="${escapeMarkup(title)}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
  ];
}
