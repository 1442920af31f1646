import type { Request } from 'express';

/** The format that the client prefers by its `Accept` header; null if it takes none. `formats` is by media type, best first. */
export function negotiate<Format>(request: Request, formats: Record<string, Format>): Format | null {
  const type = request.accepts(Object.keys(formats));
  return type === false ? null : (formats[type] ?? null);
}
