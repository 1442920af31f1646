/** A line of a list: what every kind has, and what its own adds. */
export type Summary = { id: string; kind: string; url: string } & Record<string, unknown>;
