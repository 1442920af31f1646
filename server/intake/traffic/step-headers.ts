import { reservedHeaders } from '../../../shared/scenario/scenario.ts';

/**
 * Whether a recorded header belongs in a step. Not: what the generator writes, what a browser says about itself and
 * its cache, and the cookies, which a jar keeps. What servers decide by stays: Origin and Referer (each side's own, see
 * `ownOrigins`), Sec-Fetch-*, and Range.
 *
 * @param written whether a person wrote the request and so meant every header
 */
export function isStepHeader(name: string, written = false): boolean {
  const isReserved = (reservedHeaders as readonly string[]).includes(name.toLowerCase());
  return !isReserved && (written || !browserHeaders.test(name));
}

/** Whether a step leaves it out because the browser added it. Cookies are a case of their own. */
export function isBrowserHeader(name: string): boolean {
  return browserHeaders.test(name) && !/^cookie2?$/i.test(name);
}

const browserHeaders =
  /^(cookie2?|user-agent|accept-encoding|upgrade-insecure-requests|dnt|priority|pragma|cache-control|if-(none-match|modified-since|match|range|unmodified-since)|keep-alive|proxy-.*|sec-(?!fetch-).*|x-devtools-.*|x-client-data|save-data|via|x-forwarded-.*|forwarded|alt-used|purpose|trailers)$/i;
