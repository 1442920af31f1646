import { headerOf, type RecordedHeaders, type ResourceType } from '../../../shared/scenario/import.ts';

/** One request of a page and its response, as Chromium's network stack reports them. A redirect is an exchange of its own. */
export type Exchange = {
  url: string;
  /** Chromium's resource type in lower case: `document`, `stylesheet`, `image`. */
  type: string;
  /** Status from the origin: 304 where Chromium shows the page the 200 of its cache. 0 when no response came. */
  status: number;
  /** No request left the browser. */
  fromCache: boolean;
  /** Encoded bytes that came over the network, headers included. */
  bytes: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** `http/1.1`, `h2`; empty when no response came. */
  protocol: string;
  /** `secure` only when no certificate error was passed over. */
  securityState: string;
  /** Accept-Encoding as sent; null when no request left the browser. */
  offeredEncodings: string | null;
  /** Such as `net::ERR_CONNECTION_REFUSED`; null when a response came. */
  failure: string | null;
};

/** Purpose of a request. Chrome states it; elsewhere it follows from Sec-Fetch-Dest or Accept, then the media type, then the name. */
export function resourceTypeOf(facts: {
  said: string | null | undefined;
  mimeType: string;
  path: string;
  requestHeaders: RecordedHeaders;
}): ResourceType {
  const destination = headerOf(facts.requestHeaders, 'sec-fetch-dest');
  const accept = headerOf(facts.requestHeaders, 'accept') ?? '';
  return (
    lookUp(bySaying, facts.said) ??
    lookUp(bySaying, destination) ??
    (accept.startsWith('text/html') ? 'document' : undefined) ??
    byMediaType.find(([pattern]) => pattern.test(facts.mimeType))?.[1] ??
    byExtension.find(([pattern]) => pattern.test(facts.path))?.[1] ??
    'other'
  );
}

/** Loaded once and cached by every browser, and the same for all: seldom what a scenario is about. */
export function isStatic(type: ResourceType): boolean {
  return staticTypes.has(type);
}

const staticTypes = new Set<ResourceType>(['stylesheet', 'script', 'image', 'font', 'media']);

const words: Record<ResourceType, string> = {
  document: 'document iframe frame',
  xhr: 'xhr fetch empty eventsource',
  stylesheet: 'stylesheet style',
  script: 'script worker',
  image: 'image',
  font: 'font',
  media: 'media video audio',
  other: 'manifest ping preflight',
};

const bySaying = new Map(
  (Object.keys(words) as ResourceType[]).flatMap((type) =>
    words[type].split(' ').map((word) => [word, type]),
  ),
);

const byMediaType: [RegExp, ResourceType][] = [
  [/^text\/html|^application\/xhtml/i, 'document'],
  [/^text\/css/i, 'stylesheet'],
  [/javascript|ecmascript/i, 'script'],
  [/^image\//i, 'image'],
  [/^font\/|font-/i, 'font'],
  [/^(video|audio)\//i, 'media'],
  [/json|xml|^text\/event-stream/i, 'xhr'],
];

const byExtension: [RegExp, ResourceType][] = [
  [/\.css$/i, 'stylesheet'],
  [/\.m?js$/i, 'script'],
  [/\.(png|jpe?g|gif|webp|avif|svg|ico)$/i, 'image'],
  [/\.(woff2?|ttf|otf|eot)$/i, 'font'],
  [/\.(mp4|webm|mp3|ogg|m3u8)$/i, 'media'],
];

function lookUp<V>(map: Map<string, V>, key: string | null | undefined): V | undefined {
  return key === null || key === undefined ? undefined : map.get(key.toLowerCase());
}
