/** One request of a page and its response, as Chromium's network stack reports them. A redirect is an exchange of its own. */
export type Exchange = {
  url: string;
  /** Chromium's resource type in lower case: `document`, `stylesheet`, `image`. */
  type: string;
  /** What the origin said: 304 where Chromium shows the page the 200 of its cache. 0 when no response came. */
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
