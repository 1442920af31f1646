import type { Node } from '@babel/types';
import type { Locator } from '../../../shared/browser-actions.ts';
import { stepSchema } from '../../../shared/scenario.ts';
import { type Meaning, Misunderstood, type Scope } from './meaning.ts';
import { readNumber } from './read-locator.ts';
import { readMatch } from './read-value.ts';
import { addAction, type Reading } from './test-draft.ts';

type Expectation = { matcher: string; negated: boolean; args: Node[] };

/** `expect(subject).matcher(…)`. */
export function readExpectation(subject: Meaning, what: Expectation, scope: Scope, reading: Reading): void {
  switch (subject.is) {
    case 'page':
      expectOfPage(subject.page, what, scope, reading);
      return;
    case 'locator':
      expectOfLocator(subject.page, subject.locator, what, scope, reading);
      return;
    case 'response':
    case 'status':
      expectOfResponse(subject, what, scope, reading);
      return;
    default:
      throw new Misunderstood('expect() supports only a page, a locator, or a response.');
  }
}

function expectOfPage(
  page: number,
  { matcher, negated, args }: Expectation,
  scope: Scope,
  reading: Reading,
): void {
  if (negated) throw new Misunderstood(`expect(page).not.${matcher} is not supported.`);
  if (matcher === 'toHaveURL') {
    addAction(reading, { type: 'expect_url', page, match: readMatch(args[0], scope, true) });
  } else if (matcher === 'toHaveTitle') {
    addAction(reading, { type: 'expect_title', page, match: readMatch(args[0], scope, true) });
  } else throw new Misunderstood(`expect(page).${matcher} is not supported.`);
}

function expectOfLocator(
  page: number,
  locator: Locator,
  { matcher, negated, args }: Expectation,
  scope: Scope,
  reading: Reading,
): void {
  if (visible.has(matcher) || hidden.has(matcher)) {
    const type = visible.has(matcher) === negated ? 'expect_hidden' : 'expect_visible';
    addAction(reading, { type, page, locator });
    return;
  }
  if (negated) throw new Misunderstood(`expect(locator).not.${matcher} is not supported.`);
  switch (matcher) {
    case 'toHaveText':
    case 'toContainText': {
      const contains = matcher === 'toContainText';
      const match = readMatch(args[0], scope, !contains);
      addAction(reading, { type: 'expect_text', page, locator, match, contains });
      return;
    }
    case 'toHaveValue':
      addAction(reading, {
        type: 'expect_value',
        page,
        locator,
        match: readMatch(args[0], scope, true),
      });
      return;
    case 'toHaveCount':
      if (args[0] === undefined) throw new Misunderstood('toHaveCount needs a number.');
      addAction(reading, { type: 'expect_count', page, locator, count: readNumber(args[0], scope) });
      return;
    case 'toBeChecked':
      addAction(reading, { type: 'expect_checked', page, locator });
      return;
    default:
      throw new Misunderstood(`expect(locator).${matcher} is not supported.`);
  }
}

/** A scenario expects a status of each step anyway; here it learns which. */
function expectOfResponse(
  subject: Meaning & { is: 'response' | 'status' },
  { matcher, negated, args }: Expectation,
  scope: Scope,
  reading: Reading,
): void {
  const request = reading.draft.requests[subject.request];
  if (negated || request === undefined)
    throw new Misunderstood(`not.${matcher} of a response is not supported.`);
  if (subject.is === 'response') {
    if (matcher === 'toBeOK') return;
  } else if (matcher === 'toBeTruthy' && args.length === 0) {
    return;
  } else if ((matcher === 'toBe' || matcher === 'toEqual') && args[0] !== undefined) {
    const status = stepSchema.shape.expectStatus.safeParse(readNumber(args[0], scope));
    if (!status.success) throw new Misunderstood('A step expects a status from 200 to 599.');
    request.expectStatus = status.data;
    return;
  }
  throw new Misunderstood(`${matcher} of a response is not supported.`);
}

const visible = new Set(['toBeVisible', 'toBeAttached', 'toBeInViewport']);
const hidden = new Set(['toBeHidden']);
