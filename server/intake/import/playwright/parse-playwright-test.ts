import { problem } from '../../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../../shared/scenario/recording.ts';
import type { DraftRequest } from '../draft-request.ts';
import { noteOn } from '../note-on.ts';
import type { Scope } from './meaning.ts';
import { adviceOnLanguage } from './other-languages.ts';
import { parseForgiving } from './parse-forgiving.ts';
import { readStatements } from './read-statements.ts';
import { isTest } from './read-test.ts';
import { openDraft } from './test-draft.ts';

type PlaywrightTest = {
  name: string | null;
  actions: BrowserAction[];
  /** Known without a browser: pages that are opened, and requests of the test itself. */
  requests: DraftRequest[];
  unsupported: Unsupported[];
  /** Sentences on what was left out because it sends nothing. */
  notes: string[];
};

/** Beyond them a text is no test that a person pasted. */
const mostCharacters = 1_000_000;

/**
 * Reads a Playwright test, or a script as codegen writes it, without executing any of it. One import is one test:
 * suites, hooks, and fixtures are refused by their names. Throws import_unreadable when the text is no program at all, or one
 * in another language.
 */
export function parsePlaywrightTest(text: string): PlaywrightTest {
  const advice = adviceOnLanguage(text);
  if (advice !== null) throw problem('import_unreadable', advice);
  const draft = openDraft();
  const { program, unsupported } = parseForgiving(text.slice(0, mostCharacters));
  draft.unsupported.push(...unsupported);
  const scope = topScope();
  // Its constants and settings may stand behind a test.
  const tests = program.body.filter(isTest);
  readStatements(
    program.body.filter((statement) => !isTest(statement)),
    scope,
    draft,
  );
  readStatements(tests, scope, draft);
  const { name, actions, requests, withoutEffect } = draft;
  return {
    ...{ name, actions, requests },
    unsupported: onceEach(draft.unsupported).sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
    notes: noteOn(withoutEffect, 'line'),
  };
}

/** What stands in a loop is refused in each of its rounds. */
function onceEach(unsupported: readonly Unsupported[]): Unsupported[] {
  return [...new Map(unsupported.map((each) => [`${each.line} ${each.reason}`, each])).values()];
}

/** What codegen's scripts have from `require('playwright')`, and the fixtures for lines that were pasted without their test. */
function topScope(): Scope {
  const browsers = ['chromium', 'firefox', 'webkit'];
  const scope: Scope = new Map(browsers.map((name) => [name, { is: 'browser' }]));
  return scope
    .set('page', { is: 'page', page: 0 })
    .set('context', { is: 'context' })
    .set('browser', { is: 'browser' })
    .set('request', { is: 'request' });
}
