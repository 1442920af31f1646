import { reservedHeaders } from '../../../shared/scenario/scenario.ts';

/**
 * Whether a recorded header belongs in a step. Not: what the generator writes, what a browser says about itself and
 * its cache, the cookies (a jar keeps them), and what names the scheme or the host, which differ between the sides.
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
  /^(cookie2?|user-agent|accept-encoding|origin|referer|upgrade-insecure-requests|dnt|priority|pragma|cache-control|if-(none-match|modified-since|match|range|unmodified-since)|range|keep-alive|proxy-.*|sec-.*|x-devtools-.*|x-client-data|save-data|via|x-forwarded-.*|forwarded|alt-used|purpose|trailers)$/i;
