import type { CallExpression, Expression, Node } from '@babel/types';
import type { TextMatch } from '../../../../shared/scenario/locator.ts';
import { stepSchema } from '../../../../shared/scenario/scenario.ts';
import { type Meaning, Misunderstood } from './meaning.ts';
import { firstText, flag, optionsOf } from './read-options.ts';
import { argumentsOf, propertyName, readMatch, readNumber } from './read-value.ts';
import { type Act, addAction, type Call, leaveOut, resolveUrl } from './test-draft.ts';

/** `expect(subject).not.matcher(…)` and `expect.soft(subject).matcher(…)`; null when the call is no expectation. */
export function subjectOf({ callee }: CallExpression): { subject: Expression; negated: boolean } | null {
  if (callee.type !== 'MemberExpression') return null;
  const { object } = callee;
  const negated = object.type === 'MemberExpression' && nameOf(object) === 'not';
  const inner = negated ? object.object : object;
  if (inner.type !== 'CallExpression') return null;
  const { callee: expect } = inner;
  const kind = expect.type === 'MemberExpression' ? nameOf(expect) : '';
  const root = expect.type === 'MemberExpression' ? expect.object : expect;
  if (root.type !== 'Identifier' || root.name !== 'expect') return null;
  if (kind !== '' && kind !== 'soft')
    throw new Misunderstood(`expect.${kind} is not checked, because code is never executed.`);
  const [subject] = argumentsOf(inner);
  if (subject === undefined) throw new Misunderstood('expect() has no argument.');
  return { subject, negated };
}

function nameOf(node: Node & { type: 'MemberExpression' }): string {
  return node.computed ? '' : propertyName(node.property);
}

/** A matcher as a call, with `not.` before it or without. */
type Expectation = Call & { negated: boolean };
type Matchers = Readonly<Record<string, (expectation: Expectation) => Act>>;

export function readExpectation(subject: Meaning, expectation: Expectation): void {
  const { method, reading } = expectation;
  switch (subject.is) {
    case 'page':
    case 'locator': {
      const { is, ...place } = subject;
      const matchers = is === 'page' ? pageMatchers : elementMatchers;
      const matcher = Object.hasOwn(matchers, method) ? matchers[method] : undefined;
      if (matcher === undefined)
        throw new Misunderstood(`expect(${is}).${method} is not checked. Leave it out: it sends nothing.`);
      addAction(reading, { ...matcher(expectation), ...place });
      return;
    }
    case 'text':
      leaveOut(reading, 'expect of a text of the test itself');
      return;
    case 'response':
    case 'status':
      expectOfResponse(subject, expectation);
      return;
    default:
      throw new Misunderstood('expect() supports only a page, a locator, or a response.');
  }
}

const pageMatchers: Matchers = {
  toHaveTitle: (of) => ({ type: 'expect_title', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) }),
  toHaveURL: (of) => {
    const match = matchOf(of, 0);
    const url = match.type === 'text' ? { ...match, text: resolveUrl(match.text, of.reading.draft) } : match;
    return { type: 'expect_url', match: withCase(url, of, 1), ...not(of) };
  },
};

const elementMatchers: Matchers = {
  toBeAttached: (of) => ({ type: 'expect_state', state: 'attached', ...switched(of) }),
  toBeDisabled: (of) => ({ type: 'expect_state', state: 'disabled', ...switched(of) }),
  toBeEditable: (of) => ({ type: 'expect_state', state: 'editable', ...switched(of) }),
  toBeEmpty: (of) => ({ type: 'expect_state', state: 'empty', ...switched(of) }),
  toBeEnabled: (of) => ({ type: 'expect_state', state: 'enabled', ...switched(of) }),
  toBeFocused: (of) => ({ type: 'expect_state', state: 'focused', ...switched(of) }),
  toBeInViewport: (of) => ({ type: 'expect_state', state: 'in_viewport', ...switched(of) }),
  toBeChecked: (of) => ({ type: 'expect_checked', ...switched(of) }),
  toBeVisible: (of) => ({ type: switched(of).negated ? 'expect_hidden' : 'expect_visible' }),
  toBeHidden: (of) => ({ type: switched(of).negated ? 'expect_visible' : 'expect_hidden' }),
  toHaveText: (of) => ({
    ...{ type: 'expect_text', match: withCase(matchOf(of, 0), of, 1), contains: false, ...not(of) },
  }),
  toContainText: (of) => ({
    ...{ type: 'expect_text', match: withCase(matchOf(of, 0, false), of, 1), contains: true, ...not(of) },
  }),
  toHaveValue: (of) => ({ type: 'expect_value', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) }),
  toHaveId: (of) => ({
    ...{ type: 'expect_attribute', name: 'id', match: matchOf(of, 0), ...optionsOf(of, 1), ...not(of) },
  }),
  toHaveAttribute: (of) => {
    const hasValue = of.args[1] !== undefined && of.args[1].type !== 'ObjectExpression';
    const match = hasValue ? withCase(matchOf(of, 1), of, 2) : null;
    if (!hasValue) optionsOf(of, 1);
    return { type: 'expect_attribute', name: firstText(of), match, ...not(of) };
  },
  toHaveCount: (of) => ({
    ...{ type: 'expect_count', count: readNumber(of.args[0], of.scope), ...optionsOf(of, 1), ...not(of) },
  }),
};

function matchOf({ args, scope }: Expectation, index: number, exact = true): TextMatch {
  return readMatch(args[index], scope, exact);
}

function not({ negated }: { negated: boolean }): { negated?: true } {
  return negated ? { negated: true } : {};
}

const switches = { attached: flag, checked: flag, editable: flag, enabled: flag, visible: flag };

/** `toBeEnabled({ enabled: false })` is `not.toBeEnabled()`. */
function switched(expectation: Expectation): { negated?: true } {
  const isOff = Object.values(optionsOf(expectation, 0, switches)).includes(false);
  return not({ negated: expectation.negated !== isOff });
}

/** `ignoreCase` is a flag of a pattern; of a text it is refused. */
function withCase(match: TextMatch, expectation: Expectation, index: number): TextMatch {
  if (!optionsOf(expectation, index, { ignoreCase: flag }).ignoreCase) return match;
  if (match.type === 'text')
    throw new Misunderstood(`${expectation.method} with ignoreCase is supported with a pattern only.`);
  return { ...match, flags: match.flags.includes('i') ? match.flags : `${match.flags}i` };
}

/** A scenario expects a status of each step anyway; here it learns which. */
function expectOfResponse(
  subject: Meaning & { is: 'response' | 'status' },
  { method, negated, args: [value], scope, reading }: Expectation,
): void {
  const request = reading.draft.requests[subject.request];
  const isOfStatus = subject.is === 'status';
  const isEqual = isOfStatus && (method === 'toBe' || method === 'toEqual') && value !== undefined;
  const isOk = isOfStatus ? method === 'toBeTruthy' : method === 'toBeOK';
  if (negated || request === undefined || !(isEqual || isOk))
    throw new Misunderstood(`${negated ? 'not.' : ''}${method} of a response is not supported.`);
  if (!isEqual || (value.type === 'BooleanLiteral' && value.value)) return;
  const status = stepSchema.shape.expectStatus.safeParse(readNumber(value, scope));
  if (!status.success) throw new Misunderstood('A step expects a status from 200 to 599.');
  request.expectStatus = status.data;
}
