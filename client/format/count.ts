import { printNumber } from '../../shared/base/quantity.ts';

/** `1 block`, `12 blocks`, `3 launches`, `1,204 requests`. */
export function printCount(count: number, one: string, many = irregular[one] ?? `${one}s`): string {
  return `${printNumber(count, 0)} ${count === 1 ? one : many}`;
}

const irregular: Record<string, string> = { launch: 'launches' };
