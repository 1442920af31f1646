import { escapeMarkup } from './escape-markup.ts';

/** What a result puts into the page that is built by `vite.file.config.ts`. */
type FilePart = {
  /** Plain text. */
  title: string;
  /** HTML, for who has no JavaScript. */
  summary: string;
  /** The document and what is written on it, as gzip in Base64: nothing in it can end a script or be markup. */
  result: string;
};

/** @param template with `%title%`, `%summary%` and `%result%`, each once */
export function fillPage(template: string, { title, summary, result }: FilePart): string {
  const parts: Record<string, string> = { title: `${escapeMarkup(title)} · TLS Toll`, summary, result };
  // In one pass: what a part holds is no mark, whatever it looks like.
  return template.replace(/%(title|summary|result)%/g, (_mark, name: string) => parts[name] ?? '');
}

/** The policy that the page states itself, for the header that must allow the same. Null where it states none. */
export function policyOf(template: string): string | null {
  return /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(template)?.[1] ?? null;
}
