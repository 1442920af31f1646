import type { Response } from 'express';
import { apiPrefix } from '../../../shared/api/prefix.ts';

/** Has the browser fetch what a page will ask for while its scripts are still read. Source: RFC 8288, W3C Preload. */
export function preload(response: Response, path: `/${string}`): void {
  response.append('Link', `<${apiPrefix}${path}>; rel=preload; as=fetch; crossorigin`);
}
