import type { Expression } from '@babel/types';
import type { ElementState } from '../../../shared/browser-actions.ts';
import type { Locator, TextMatch } from '../../../shared/locator.ts';
import { stepSchema } from '../../../shared/scenario.ts';
import { standingOf } from './api/known-api.ts';
import { locatorAssertions, pageAssertions } from './api/locator-api.ts';
import type { Call } from './call.ts';
import { type Meaning, Misunderstood } from './meaning.ts';
import { flagOf, optionsOf, readNumber } from './read-options.ts';
import { readMatch, readText } from './read-value.ts';
import { addAction, leaveOut, resolveUrl } from './test-draft.ts';

/** A matcher as a call, with `not.` before it or without. */
type Expectation = Call & { negated: boolean };

/** `expect(subject).matcher(…)`. */
export function readExpectation(subject: Meaning, expectation: Expectation): void {
  const { method } = expectation;
  switch (subject.is) {
    case 'page':
      demandKnown(pageAssertions, method);
      expectOfPage(subject.page, expectation);
      return;
    case 'locator':
      demandKnown(locatorAssertions, method);
      expectOfLocator(subject.page, subject.locator, expectation);
      return;
    case 'text':
      leaveOut(expectation.reading, 'expect of a text of the test itself');
      return;
    case 'response':
    case 'status':
      expectOfResponse(subject, expectation);
      return;
    default:
      throw new Misunderstood('expect() supports only a page, a locator, or a response.');
  }
}

function demandKnown(api: typeof pageAssertions, matcher: string): void {
  const standing = standingOf(api, matcher);
  if (standing === 'done') return;
  const reason = standing === null || standing === 'without effect' ? 'is unknown.' : standing.reason;
  throw new Misunderstood(`${api.name}.${matcher} ${reason}`);
}

function expectOfPage(page: number, expectation: Expectation): void {
  const { method, args, scope, reading } = expectation;
  const what = { page, ...not(expectation.negated) };
  if (method === 'toHaveTitle') {
    optionsOf(expectation, args[1]);
    addAction(reading, { ...what, type: 'expect_title', match: readMatch(args[0], scope, true) });
    return;
  }
  const match = readMatch(args[0], scope, true);
  const url = match.type === 'text' ? { ...match, text: resolveUrl(match.text, reading.draft) } : match;
  addAction(reading, { ...what, type: 'expect_url', match: withCase(url, expectation, args[1]) });
}

/** Assertions without an argument, and the state that each of them means. */
const states: Record<string, ElementState> = {
  toBeAttached: 'attached',
  toBeDisabled: 'disabled',
  toBeEditable: 'editable',
  toBeEmpty: 'empty',
  toBeEnabled: 'enabled',
  toBeFocused: 'focused',
  toBeInViewport: 'in_viewport',
};
const switches = ['attached', 'checked', 'editable', 'enabled', 'visible'];

function expectOfLocator(page: number, locator: Locator, expectation: Expectation): void {
  const { method, args, scope, reading, negated } = expectation;
  const what = { page, locator, ...not(negated) };
  const state = Object.hasOwn(states, method) ? states[method] : undefined;
  if (
    state !== undefined ||
    method === 'toBeVisible' ||
    method === 'toBeHidden' ||
    method === 'toBeChecked'
  ) {
    // `toBeEnabled({ enabled: false })` is `not.toBeEnabled()`.
    const options = optionsOf(expectation, args[0], switches);
    const isOff = [...options].some(([name, value]) => switches.includes(name) && !flagOf(value, scope));
    const isNegated = negated !== isOff;
    if (state !== undefined)
      addAction(reading, { page, locator, type: 'expect_state', state, ...not(isNegated) });
    else if (method === 'toBeChecked')
      addAction(reading, { page, locator, type: 'expect_checked', ...not(isNegated) });
    else {
      const type = (method === 'toBeVisible') === isNegated ? 'expect_hidden' : 'expect_visible';
      addAction(reading, { page, locator, type });
    }
    return;
  }
  switch (method) {
    case 'toHaveText':
    case 'toContainText': {
      const contains = method === 'toContainText';
      const match = withCase(readMatch(args[0], scope, !contains), expectation, args[1]);
      addAction(reading, { ...what, type: 'expect_text', match, contains });
      return;
    }
    case 'toHaveValue':
      optionsOf(expectation, args[1]);
      addAction(reading, { ...what, type: 'expect_value', match: readMatch(args[0], scope, true) });
      return;
    case 'toHaveId':
      optionsOf(expectation, args[1]);
      addAction(reading, { ...what, ...attribute('id', readMatch(args[0], scope, true)) });
      return;
    case 'toHaveAttribute':
      addAction(reading, { ...what, ...attributeOf(expectation) });
      return;
    default:
      optionsOf(expectation, args[1]);
      addAction(reading, { ...what, type: 'expect_count', count: readNumber(args[0], scope) });
  }
}

function attribute(name: string, match: TextMatch | null) {
  return { type: 'expect_attribute', name, match } as const;
}

/** `toHaveAttribute('disabled')`, with options behind it or a value between them. */
function attributeOf(expectation: Expectation) {
  const { args, scope } = expectation;
  const name = readText(args[0], scope);
  if (args[1] !== undefined && args[1].type !== 'ObjectExpression')
    return attribute(name, withCase(readMatch(args[1], scope, true), expectation, args[2]));
  optionsOf(expectation, args[1]);
  return attribute(name, null);
}

function not(isNegated: boolean): { negated?: true } {
  return isNegated ? { negated: true } : {};
}

/** `ignoreCase` is a flag of a pattern; of a text it is refused. */
function withCase(match: TextMatch, expectation: Expectation, node: Expression | undefined): TextMatch {
  const ignores = optionsOf(expectation, node, ['ignoreCase']).get('ignoreCase');
  if (!flagOf(ignores, expectation.scope)) return match;
  if (match.type === 'text')
    throw new Misunderstood(`${expectation.method} with ignoreCase is supported with a pattern only.`);
  return { ...match, flags: match.flags.includes('i') ? match.flags : `${match.flags}i` };
}

/** A scenario expects a status of each step anyway; here it learns which. */
function expectOfResponse(
  subject: Meaning & { is: 'response' | 'status' },
  { method, negated, args, scope, reading }: Expectation,
): void {
  const request = reading.draft.requests[subject.request];
  if (negated || request === undefined)
    throw new Misunderstood(`not.${method} of a response is not supported.`);
  if (subject.is === 'response') {
    if (method === 'toBeOK') return;
  } else if (method === 'toBeTruthy' && args.length === 0) {
    return;
  } else if ((method === 'toBe' || method === 'toEqual') && args[0] !== undefined) {
    if (args[0].type === 'BooleanLiteral' && args[0].value) return;
    const status = stepSchema.shape.expectStatus.safeParse(readNumber(args[0], scope));
    if (!status.success) throw new Misunderstood('A step expects a status from 200 to 599.');
    request.expectStatus = status.data;
    return;
  }
  throw new Misunderstood(`${method} of a response is not supported.`);
}
