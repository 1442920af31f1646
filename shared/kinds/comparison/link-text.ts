import { type LinkName, linkNames } from './link-names.ts';

/** Links as they are typed, for a form that needs none of their schemas. */

type Link = { roundTripMs: number; mbitPerS: number | null };

export const linkProfiles: Record<LinkName, Link> = {
  lan: { roundTripMs: 0.2, mbitPerS: null },
  metro: { roundTripMs: 5, mbitPerS: null },
  continent: { roundTripMs: 40, mbitPerS: null },
  mobile: { roundTripMs: 60, mbitPerS: 20 },
};

/** `metro`, `25ms`, `25ms,50mbit`; null for anything else. Figures are not judged here. */
export function parseLink(text: string): Link | null {
  const word = text.trim().toLowerCase();
  const name = linkNames.find((each) => each === word);
  if (name !== undefined) return { ...linkProfiles[name] };
  const figures = /^(\d+(?:\.\d+)?) ?ms(?: ?, ?(\d+(?:\.\d+)?) ?mbit(?:\/s)?)?$/.exec(word);
  if (figures === null) return null;
  return { roundTripMs: Number(figures[1]), mbitPerS: figures[2] === undefined ? null : Number(figures[2]) };
}

/** As `parseLink` reads it: the name of a profile where it is one. */
export function linkWord(link: Link): string {
  return linkNameOf(link) ?? `${link.roundTripMs}ms${link.mbitPerS === null ? '' : `,${link.mbitPerS}mbit`}`;
}

export function linkNameOf(link: Link): LinkName | null {
  return linkNames.find((name) => isSame(linkProfiles[name], link)) ?? null;
}

function isSame(one: Link, other: Link): boolean {
  return one.roundTripMs === other.roundTripMs && one.mbitPerS === other.mbitPerS;
}
