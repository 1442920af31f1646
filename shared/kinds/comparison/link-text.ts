/** Links as they are typed, for a form that needs none of their schemas. */

type Link = {
  roundTripMs: number;
  mbitPerS: number | null;
  lossPercent?: number | undefined;
  initialWindow?: number | undefined;
  congestionControl?: string | undefined;
};

/** Linux's own, in segments. */
export const usualInitialWindow = 10;

export const linkProfiles: Record<LinkName, Link> = {
  lan: { roundTripMs: 0.2, mbitPerS: null },
  metro: { roundTripMs: 5, mbitPerS: null },
  continent: { roundTripMs: 40, mbitPerS: null },
  mobile: { roundTripMs: 60, mbitPerS: 20 },
};

/** `metro`, `25ms`, `25ms,50mbit`, `metro,1%,iw20,bbr`; null for anything else. Figures are not judged here. */
export function parseLink(text: string): Link | null {
  const [first = '', ...others] = text
    .toLowerCase()
    .split(',')
    .map((part) => part.trim());
  const name = linkNames.find((each) => each === first);
  const roundTripMs = /^(\d+(?:\.\d+)?) ?ms$/.exec(first)?.[1];
  if (name === undefined && roundTripMs === undefined) return null;
  const base = name === undefined ? { roundTripMs: Number(roundTripMs), mbitPerS: null } : linkProfiles[name];
  const parts = others.map(parsePart);
  const keys = parts.flatMap((part) => (part === null ? [] : Object.keys(part)));
  if (parts.includes(null) || new Set(keys).size < keys.length) return null;
  return Object.assign({ ...base }, ...parts);
}

function parsePart(part: string): Partial<Link> | null {
  const figure = (pattern: RegExp) => pattern.exec(part)?.[1];
  const rate = figure(/^(\d+(?:\.\d+)?) ?mbit(?:\/s)?$/);
  if (rate !== undefined) return { mbitPerS: Number(rate) };
  const loss = figure(/^(\d+(?:\.\d+)?) ?%$/);
  if (loss !== undefined) return { lossPercent: Number(loss) };
  const window = figure(/^iw ?(\d+)$/);
  if (window !== undefined) return { initialWindow: Number(window) };
  const isWord = /^[a-z][a-z_]*$/.test(part) && !linkNames.some((name) => name === part);
  return isWord ? { congestionControl: part } : null;
}

/** Text that `parseLink` reads, with the name of a profile if the link has one. */
export function linkWord(link: Link): string {
  const { roundTripMs, mbitPerS, lossPercent, initialWindow, congestionControl } = link;
  const name = linkNameOf(link);
  return [
    name ?? `${roundTripMs}ms`,
    ...(name !== null || mbitPerS === null ? [] : [`${mbitPerS}mbit`]),
    ...(lossPercent === undefined ? [] : [`${lossPercent}%`]),
    ...(initialWindow === undefined ? [] : [`iw${initialWindow}`]),
    ...(congestionControl === undefined ? [] : [congestionControl]),
  ].join(',');
}

/** The profile of its round trip and rate. */
export function linkNameOf(link: Link): LinkName | null {
  return linkNames.find((name) => isSame(linkProfiles[name], link)) ?? null;
}

function isSame(one: Link, other: Link): boolean {
  return one.roundTripMs === other.roundTripMs && one.mbitPerS === other.mbitPerS;
}

/** A list of links on a command line and in a form. */
export const linkList = {
  type: 'list',
  item: {
    type: 'text',
    taken: 'links: lan, metro, continent, mobile, 25ms, or 25ms,50mbit,1%,iw20,bbr',
    print: linkWord,
  },
  written: 'words',
  // A comma is between two links where one begins: `metro,25ms,50mbit` is two.
  between: /,(?=\s*(?:lan|metro|continent|mobile|[\d.]+\s*ms))\s*|(?<!,)\s+(?!ms|mbit|%|,)/i,
  takes: 'names...',
  label: 'Links',
} as const;

/** Links that have a name, from the shortest to the slowest. */
export const linkNames = ['lan', 'metro', 'continent', 'mobile'] as const;
type LinkName = (typeof linkNames)[number];
