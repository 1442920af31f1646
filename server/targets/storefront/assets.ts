import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { drawCategory, drawFavicon, drawLogo } from './pictures.ts';
import { categories } from './words.ts';

/** Everything that is not a page, held in memory: sent whole, with a strong validator. */
export type Asset = {
  body: Buffer;
  type: string;
  cacheControl: string;
  /** Of the bytes, so that every process gives the same. */
  etag: string;
};

const aDay = 'public, max-age=86400';
/** Stored, and asked about at every visit. */
const askFirst = 'no-cache';

export function loadAssets(): Map<string, Asset> {
  const favicon = picture(drawFavicon());
  return new Map([
    ['/assets/site.css', file('site.css', 'text/css; charset=utf-8', aDay)],
    ['/assets/site.js', file('site.js', 'text/javascript; charset=utf-8', aDay)],
    ['/assets/offers.js', file('offers.js', 'text/javascript; charset=utf-8', askFirst)],
    ['/assets/logo.svg', picture(drawLogo())],
    ['/assets/favicon.svg', favicon],
    ['/favicon.ico', favicon],
    ...categories.map((_, index): [string, Asset] => [
      `/assets/category-${index + 1}.svg`,
      picture(drawCategory(index + 1)),
    ]),
  ]);
}

function file(name: string, type: string, cacheControl: string): Asset {
  return asset(readFileSync(new URL(`./assets/${name}`, import.meta.url)), type, cacheControl);
}

function picture(svg: string): Asset {
  return asset(Buffer.from(svg), 'image/svg+xml', aDay);
}

function asset(body: Buffer, type: string, cacheControl: string): Asset {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 27);
  return { body, type, cacheControl, etag: `"${digest}"` };
}
