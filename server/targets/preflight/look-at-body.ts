import { createHash } from 'node:crypto';
import { schemeOf } from '../../../shared/base/transport.ts';
import { hostOf } from '../../base/addresses/origin.ts';
import type { Reply } from '../../base/wire/ask.ts';
import type { Answer } from './answer.ts';
import type { Dialer } from './dialer.ts';
import type { KeptBody } from './examine-answer.ts';
import { findSchemeLinks, upgradesRequests } from './find-scheme-links.ts';

/** What a browser would make of a response, and what of it is only the address of its own side. */
export function lookAtBody(
  kept: KeptBody,
  { headers }: Reply,
  { listener }: Dialer,
  hostnames: readonly string[],
): Pick<Answer, 'textLength' | 'neutralSha256' | 'links' | 'upgrades'> {
  const policy = headers['content-security-policy'] ?? '';
  const type = headers['content-type'] ?? '';
  const body = isText.test(type) ? kept.decoded(headers['content-encoding'] ?? '') : null;
  const text = body?.toString('utf8') ?? null;
  const page =
    text !== null && /html/i.test(type)
      ? findSchemeLinks(text, schemeOf(listener.transport), hostnames)
      : { links: [], upgrades: false };
  return {
    textLength: text?.length ?? null,
    neutralSha256: text === null ? null : sha256(withoutAddress(text, hostOf(listener))),
    links: page.links,
    upgrades: page.upgrades || upgradesRequests(policy),
  };
}

const isText = /^(text\/|application\/(json|xml|javascript|xhtml|[\w.-]+\+(json|xml)))/i;

/** `http://shop.test:8080/cart` and `https://shop.test:8443/cart` become one, also as JSON writes them. */
function withoutAddress(text: string, host: string): string {
  return ['//', '\\/\\/']
    .flatMap((slashes) => [`https:${slashes}${host}`, `http:${slashes}${host}`])
    .reduce((rest, address) => rest.replaceAll(address, ''), text);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
