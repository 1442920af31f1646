/** Every kind of measurement, by the word that a list of them has over it. Without schemas: the first page needs the names. */
export const kindTitles = {
  comparison: 'Runs',
  handshakes: 'Handshakes',
  speed: 'Speed',
  visits: 'Visits',
  sizes: 'Sizes',
  servers: 'Servers',
  distance: 'Distances',
  mesh: 'Mesh',
  explain: 'Explanations',
} as const;

export type KindName = keyof typeof kindTitles;
export const kindNames = Object.keys(kindTitles) as KindName[];
