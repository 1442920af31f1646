import { Parser } from 'htmlparser2';

/** An absolute address in a page that leads to the other scheme of the same host. */
export type SchemeLink = {
  /** A browser loads resources by itself, sends forms for the user, and follows links only when told to. */
  kind: 'resource' | 'form' | 'link';
  url: string;
};

type PageFindings = {
  /** The first of each kind. */
  links: SchemeLink[];
  /** A policy in the page makes a browser ask for everything over https. */
  upgrades: boolean;
};

/** @param scheme of the page; other hosts than `hostnames` are nobody's side */
export function findSchemeLinks(
  html: string,
  scheme: 'http' | 'https',
  hostnames: readonly string[],
): PageFindings {
  const found = new Map<SchemeLink['kind'], SchemeLink>();
  let upgrades = false;
  const parser = new Parser({
    onopentag(tag, attributes) {
      if (tag === 'meta' && attributes['http-equiv']?.toLowerCase() === 'content-security-policy') {
        upgrades ||= upgradesRequests(attributes.content ?? '');
      }
      for (const { kind, url } of addressesIn(tag, attributes)) {
        if (!found.has(kind) && leadsAcross(url, scheme, hostnames)) found.set(kind, { kind, url });
      }
    },
  });
  parser.end(html);
  return { links: [...found.values()], upgrades };
}

export function upgradesRequests(policy: string): boolean {
  return /(^|[;,\s])upgrade-insecure-requests($|[;,\s])/i.test(policy);
}

const sources: Record<string, readonly string[]> = {
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  iframe: ['src'],
  frame: ['src'],
  audio: ['src'],
  video: ['src', 'poster'],
  track: ['src'],
  embed: ['src'],
  object: ['data'],
  input: ['src'],
  base: ['href'],
};

function addressesIn(tag: string, attributes: Record<string, string>): SchemeLink[] {
  const of = (kind: SchemeLink['kind'], name: string) =>
    (attributes[name] ?? '')
      .split(name === 'srcset' ? /,\s+/ : /$^/)
      .map((part) => ({ kind, url: name === 'srcset' ? (part.trim().split(/\s/)[0] ?? '') : part.trim() }))
      .filter(({ url }) => url !== '');
  if (tag === 'a' || tag === 'area') return of('link', 'href');
  if (tag === 'form') return of('form', 'action');
  // What a page says about its address is read by search engines, and loads nothing.
  const loads = /\b(stylesheet|icon|preload|modulepreload|manifest|prefetch)\b/i;
  if (tag === 'link') return loads.test(attributes.rel ?? '') ? of('resource', 'href') : [];
  return [...of('form', 'formaction'), ...(sources[tag] ?? []).flatMap((name) => of('resource', name))];
}

function leadsAcross(text: string, scheme: string, hostnames: readonly string[]): boolean {
  if (!/^https?:\/\//i.test(text)) return false;
  const url = URL.parse(text);
  if (url === null) return false;
  return url.protocol !== `${scheme}:` && hostnames.includes(url.hostname.replace(/^\[|\]$/g, ''));
}
