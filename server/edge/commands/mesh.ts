import { meshRequestSchema } from '../../../shared/kinds/mesh/mesh.ts';
import { meshOptions } from '../../../shared/kinds/mesh/options.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';

const options = measuringVerb(
  'mesh',
  'Measures what a proxy in front of an application costs, and how much of that is TLS: direct, through the proxy, and through the proxy with TLS.',
  meshOptions,
);

export async function mesh(args: string[]): Promise<number> {
  const { request, format, labels } = parseMesh(args);
  const { mesh: kind } = await import('../../kinds/mesh/kind.ts');
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseMesh(args: string[]) {
  return readMeasuring(options.parse(args, { from: 'user' }), meshOptions, meshRequestSchema, {
    kind: 'mesh',
  });
}
