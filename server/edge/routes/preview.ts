import { isOver } from '../../../shared/measurement/measurement.ts';
import type { MeasurementSummary, RunSummary } from '../../../shared/measurement/measurement-summary.ts';
import type { Identity } from '../../../shared/team/identity.ts';
import { identityMeta } from '../../../shared/team/identity-tag.ts';
import { pictureSize } from '../../base/text/digest-picture.ts';
import { escapeMarkup } from '../../base/text/escape-markup.ts';

/** What a chat or a search engine shows of a link. Source: ogp.me. */
export type Preview = {
  title: string;
  description: string;
  /** Whole address of its picture; null while there is none. */
  image: string | null;
};

/** What the line of a list says of the two sides of a run; of other kinds nothing. */
export function foundIn(summary: MeasurementSummary): Partial<Pick<RunSummary, 'verdict' | 'tls'>> {
  return summary.kind === 'comparison' ? summary : {};
}

/**
 * The verdict where there is one, otherwise what was measured and how far it is.
 * @param origin of this server, as the reader addresses it
 */
export function previewOf(summary: MeasurementSummary, origin: string): Preview {
  const { title, state } = summary;
  const { verdict, tls } = foundIn(summary);
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
