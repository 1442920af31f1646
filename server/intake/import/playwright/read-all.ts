import type { Expression, Node } from '@babel/types';
import { type Meaning, Misunderstood } from './meaning.ts';
import { propertyName } from './read-value.ts';
import type { Call, TestDraft } from './test-draft.ts';

/** `Promise.all([page.waitForURL(…), button.click()])`: events are expected first, and waits end after what is done. */
export function readAll({ args: [node], read, reading: { draft } }: Call): Meaning {
  if (node?.type !== 'ArrayExpression') throw new Misunderstood('Promise.all needs its list in place.');
  const elements = node.elements.map((element) => {
    if (element === null || element.type === 'SpreadElement')
      throw new Misunderstood('Promise.all needs its list in place.');
    return element;
  });
  const meanings = new Map<Expression, Meaning>();
  for (const turn of ['event', 'action', 'wait'] as const) {
    for (const element of elements) if (turnOf(element) === turn) meanings.set(element, read(element));
  }
  const items = elements.map((element) => opened(meanings.get(element), draft));
  return { is: 'list', items };
}

/** A wait that is begun and not awaited yet: `const loaded = page.waitForURL('**\/cart')`. */
export function isWait(node: Node): boolean {
  return turnOf(node) === 'wait';
}

function turnOf(node: Node): 'event' | 'action' | 'wait' {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return 'action';
  const method = node.callee.computed ? '' : propertyName(node.callee.property);
  if (method === 'waitForEvent') return 'event';
  return /^waitFor(?!Timeout)/.test(method) ? 'wait' : 'action';
}

/** A pop-up is a page once the click that opens it is known: the last one. */
export function opened(meaning: Meaning | undefined, { actions }: TestDraft): Meaning {
  if (meaning?.is !== 'popup') return meaning ?? { is: 'nothing' };
  const click = actions.findLast(({ type }) => type === 'click');
  if (click?.type === 'click') click.opens = meaning.page;
  return { is: 'page', page: meaning.page };
}
