import type { Arms } from './arms.ts';

/** Protocol of a connection: `http` and `https` are HTTP/1.1, `h2c` and `h2` are HTTP/2 without and with TLS. */
export const transports = ['http', 'https', 'h2c', 'h2'] as const;
export type Transport = (typeof transports)[number];

export type Scheme = 'http' | 'https';
export const httpVersions = ['1.1', '2'] as const;
export type HttpVersion = (typeof httpVersions)[number];

export type TransportFacts = {
  name: string;
  /** For the heads of columns. */
  shortName: string;
  /** Scheme of the origin that is loaded. */
  scheme: Scheme;
  encrypted: boolean;
  httpVersion: HttpVersion;
  /** Its HTTP version as a TLS handshake names it. */
  alpn: 'http/1.1' | 'h2';
};

export const transportFacts: Record<Transport, TransportFacts> = {
  http: {
    ...{ name: 'HTTP', shortName: 'HTTP' },
    ...{ scheme: 'http', encrypted: false, httpVersion: '1.1', alpn: 'http/1.1' },
  },
  https: {
    ...{ name: 'HTTPS', shortName: 'HTTPS' },
    ...{ scheme: 'https', encrypted: true, httpVersion: '1.1', alpn: 'http/1.1' },
  },
  h2c: {
    ...{ name: 'HTTP/2 without TLS', shortName: 'HTTP/2' },
    ...{ scheme: 'http', encrypted: false, httpVersion: '2', alpn: 'h2' },
  },
  h2: {
    ...{ name: 'HTTPS with HTTP/2', shortName: 'HTTPS, HTTP/2' },
    ...{ scheme: 'https', encrypted: true, httpVersion: '2', alpn: 'h2' },
  },
};

export function isEncrypted(transport: Transport): boolean {
  return transportFacts[transport].encrypted;
}

export function schemeOf(transport: Transport): Scheme {
  return transportFacts[transport].scheme;
}

export const defaultPorts: Record<Scheme, number> = { http: 80, https: 443 };

/**
 * The arms of every kind that compares two sides, which are the columns of the delta table (usually http and https). The twin is a
 * second listener identical to the baseline's.
 */
export const twoSidesAndTwin = [
  { name: 'baseline', letter: 'A' },
  { name: 'comparison', letter: 'B' },
  { name: 'twin', letter: 'N', twinOf: 'baseline' },
] as const satisfies Arms<string>;
export type Arm = (typeof twoSidesAndTwin)[number]['name'];

/** Names of the arms in messages. */
export const armTitles: Readonly<Record<string, string>> = {
  ...{ baseline: 'first side', comparison: 'second side', twin: 'control' },
};

/** The arms that are to be measured. */
export type AskedArms<Name extends string> = {
  arms: Arms<Name>;
  /** Transports of the sides, in their order. */
  transports: readonly Transport[];
};

export const sideNames = ['baseline', 'comparison'] as const;
export type SideName = (typeof sideNames)[number];
export type BySide<Each> = Record<SideName, Each>;

export function bySide<Each>(of: (side: SideName) => Each): BySide<Each> {
  return { baseline: of('baseline'), comparison: of('comparison') };
}

/** Transports of the baseline and the comparison, as a request and a list say them. */
export type TransportPair = [baseline: Transport, comparison: Transport];

export function pairOf({ baseline, comparison }: BySide<{ transport: Transport }>): TransportPair {
  return [baseline.transport, comparison.transport];
}

export function sidesOfPair([baseline, comparison]: TransportPair): BySide<{ transport: Transport }> {
  return { baseline: { transport: baseline }, comparison: { transport: comparison } };
}

/** A side as results know it: what it spoke and, where that does not tell it apart, its name. */
export type KnownSide = { transport: Transport; name?: string | undefined };

/** Whether two results compare the same sides, by what is known of them. */
export function isSameSides(one: BySide<KnownSide>, other: BySide<KnownSide>): boolean {
  return sideNames.every(
    (side) => one[side].transport === other[side].transport && one[side].name === other[side].name,
  );
}

/** Transport and name of a side, without the rest of a result. */
export function knownSide({ transport, name }: KnownSide): KnownSide {
  return { transport, ...(name === undefined ? {} : { name }) };
}

/** Labels of the sides for column heads, distinct even when both are the same. */
export function labelsOf(sides: BySide<KnownSide>): BySide<string> {
  const labels = bySide((side) => sides[side].name ?? transportFacts[sides[side].transport].shortName);
  if (labels.baseline !== labels.comparison) return labels;
  return { baseline: `${labels.baseline} A`, comparison: `${labels.comparison} B` };
}

/** `HTTP/2` of `2.0`. */
export function printHttpVersion(version: string): string {
  return `HTTP/${version.replace(/^2\.0$/, '2')}`;
}
