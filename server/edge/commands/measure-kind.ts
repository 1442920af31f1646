import type { z } from 'zod';
import { kinds, type TabledKind } from '../../../shared/measurement/kinds.ts';
import { measure } from './measure.ts';
import { measuringVerb, readMeasuring } from './measuring-verb.ts';

/** The verb of a kind whose command line is its table of options. */
export async function measureKind(name: TabledKind, args: string[]): Promise<number> {
  const { request, format, labels } = parseKind(name, kinds[name].request, args);
  const { allKinds } = await import('../all-kinds.ts');
  const kind = allKinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`no kind is called ${name}`);
  return measure(kind, request, format, { labels });
}

/** Throws invalid_arguments. */
export function parseKind<Schema extends z.ZodObject>(name: TabledKind, request: Schema, args: string[]) {
  const { options, help } = kinds[name].command;
  const parsed = measuringVerb(name, help, options).parse(args, { from: 'user' });
  return readMeasuring(parsed, options, request, { kind: name });
}
