import { headerLines } from '../../../shared/scenario/header-lines.ts';
import type { Step } from '../../../shared/scenario/scenario.ts';

/** The headers of a step in the order in which they are sent, those that the generator adds by itself included. */
export function requestHeaders(step: Pick<Step, 'headers'>): [name: string, value: string][] {
  const own = headerLines(step.headers);
  const given = new Set(own.map(([name]) => name.toLowerCase()));
  return [...defaults.filter(([name]) => !given.has(name.toLowerCase())), ...own];
}

const defaults: [string, string][] = [
  ['Accept', '*/*'],
  ['User-Agent', 'tls-toll'],
];

/** Whether a length is announced, be it 0. */
export function carriesBody({ body, method }: Pick<Step, 'body' | 'method'>): boolean {
  return body !== undefined || ['POST', 'PUT', 'PATCH'].includes(method);
}
