/** Groups of the lab, in the order of its page. */
export const labGroups = ['Handshake', 'Request', 'Path', 'Plan'] as const;
type LabGroup = (typeof labGroups)[number];

/** Every kind of measurement. Without schemas: the first page needs the words. */
type KindWords = {
  /** Title of a list of them. */
  title: string;
  /** Starts one at the command line; the name of the kind where it is left out. */
  verb?: string;
  summary: string;
  /** Its page in the lab; comparisons start on the first page of all. */
  lab?: { path: string; tab: string; group: LabGroup };
};

const words = {
  comparison: { title: 'Runs', verb: 'compare', summary: 'Run a paired comparison and print its table' },
  handshakes: {
    title: 'Handshakes',
    summary: 'Measure what handshakes cost by key, group and cipher suite',
    lab: { path: '/lab/handshakes', tab: 'Handshakes', group: 'Handshake' },
  },
  speed: {
    title: 'Speed',
    summary: 'Measure the speed of digests, ciphers, signatures and key agreement',
    lab: { path: '/lab/speed', tab: 'Speed', group: 'Handshake' },
  },
  distance: {
    title: 'Distances',
    summary: 'Measure what a new connection costs at a distance',
    lab: { path: '/lab/distance', tab: 'Distance', group: 'Path' },
  },
  mesh: {
    title: 'Mesh',
    summary: 'Measure what a proxy in front of an application costs, and how much of it is TLS',
    lab: { path: '/lab/mesh', tab: 'Mesh', group: 'Path' },
  },
  explain: {
    title: 'Explanations',
    summary: 'Break down server CPU per request, over HTTP and HTTPS',
    lab: { path: '/lab/explain', tab: 'Explain', group: 'Request' },
  },
  visits: {
    title: 'Visits',
    summary: 'Compare what visits cost in a real browser',
    lab: { path: '/lab/visits', tab: 'Visits', group: 'Path' },
  },
  sizes: {
    title: 'Sizes',
    summary: 'Measure request time and CPU by document size',
    lab: { path: '/lab/sizes', tab: 'Sizes', group: 'Request' },
  },
  servers: {
    title: 'Servers',
    summary: 'Compare HTTP and HTTPS over real servers, keys, ciphers and connections',
    lab: { path: '/lab/servers', tab: 'Servers', group: 'Request' },
  },
  prices: {
    title: 'Price lists',
    summary: 'List what TLS costs a server, item by item',
    lab: { path: '/lab/prices', tab: 'Prices', group: 'Plan' },
  },
} as const satisfies Record<string, KindWords>;

export type KindName = keyof typeof words;
/** Kinds that start in the lab. */
export type LabKind = Exclude<KindName, 'comparison'>;

export const kindWords: Record<KindName, KindWords> = words;
export const kindNames = Object.keys(words) as KindName[];
const labKinds = kindNames.filter((kind): kind is LabKind => kindWords[kind].lab !== undefined);
export const labPages = labKinds.map((kind) => ({ kind, ...words[kind].lab }));
