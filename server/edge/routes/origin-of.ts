import type { Request } from 'express';

/** As the reader addressed this server, for links that must be whole. The host has been checked before. */
export function originOf(request: Request): string {
  return `${request.protocol}://${request.get('Host') ?? ''}`;
}
