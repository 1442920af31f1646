/** When a request began, and how long each of its parts took; those that did not take place are 0. */
export type ExchangeTimes = {
  /** Milliseconds since 1970, by the browser's clock. */
  atMs: number;
  /** Until it was sent, beside the parts below: for a free connection, or for the browser. */
  queuedMs: number;
  dnsMs: number;
  /** Without TLS. */
  connectMs: number;
  tlsMs: number;
  waitMs: number;
  receiveMs: number;
};

/** As the DevTools protocol has it: in milliseconds from `requestTime`, -1 for what did not take place. */
export type ResponseTiming = {
  /** Seconds of the monotonic clock. */
  requestTime: number;
  dnsStart: number;
  dnsEnd: number;
  connectStart: number;
  connectEnd: number;
  sslStart: number;
  sslEnd: number;
  sendStart: number;
  receiveHeadersEnd: number;
};

type Told = {
  /** Seconds of the monotonic clock. */
  startedS: number;
  /** The same moment, in milliseconds since 1970. */
  wallMs: number;
  /** Null while it is under way. */
  endedS: number | null;
  /** Null where nothing left the browser. */
  timing: ResponseTiming | null;
};

/** Null while it is under way. A connection that another request had opened has no part in its times. */
export function timesOf({ startedS, wallMs, endedS, timing }: Told): ExchangeTimes | null {
  if (endedS === null) return null;
  const wholeMs = Math.max(0, (endedS - startedS) * 1000);
  const none = { queuedMs: 0, dnsMs: 0, connectMs: 0, tlsMs: 0, waitMs: 0 };
  if (timing === null) return { atMs: wallMs, ...none, receiveMs: wholeMs };
  const since = (ms: number) => (timing.requestTime - startedS) * 1000 + ms;
  const sentMs = Math.max(0, since(timing.sendStart));
  const headersMs = Math.max(sentMs, since(timing.receiveHeadersEnd));
  const dnsMs = lengthOf(timing.dnsStart, timing.dnsEnd);
  const tlsMs = lengthOf(timing.sslStart, timing.sslEnd);
  const connectMs = Math.max(0, lengthOf(timing.connectStart, timing.connectEnd) - tlsMs);
  return {
    atMs: wallMs,
    queuedMs: Math.max(0, sentMs - dnsMs - connectMs - tlsMs),
    ...{ dnsMs, connectMs, tlsMs },
    waitMs: headersMs - sentMs,
    receiveMs: Math.max(0, wholeMs - headersMs),
  };
}

function lengthOf(start: number, end: number): number {
  return start < 0 || end < start ? 0 : end - start;
}
