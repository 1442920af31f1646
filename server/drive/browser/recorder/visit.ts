import type { Page } from 'playwright-core';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import type { RecorderInput } from '../../../../shared/scenario/recorder.ts';

type VisitInput = Extract<RecorderInput, { type: 'open' | 'back' | 'forward' | 'reload' }>;
type VisitStep =
  | { type: 'goto'; url: string }
  | { type: Extract<BrowserAction['type'], 'go_back' | 'go_forward' | 'reload'> };

const patienceMs = 30_000;

export function isVisit(input: RecorderInput): input is VisitInput {
  return ['open', 'back', 'forward', 'reload'].includes(input.type);
}

/** What the address bar and its buttons ask for. Does not wait; returns the step, or null when it is none. */
export function visit(page: Page, input: VisitInput, complain: (sentence: string) => void): VisitStep | null {
  const options = { waitUntil: 'commit', timeout: patienceMs } as const;
  const failed = (error: unknown) => {
    const reason = /net::\w+/.exec(String(error))?.[0];
    // A later visit, or a page that went elsewhere by itself, ends this one.
    if (reason === undefined || reason === 'net::ERR_ABORTED') return;
    complain(`${input.type === 'open' ? input.url : 'The page'} could not be opened (${reason}).`);
  };
  switch (input.type) {
    case 'open': {
      const url = addressOf(input.url);
      if (url === null) {
        complain(`“${input.url.slice(0, 200)}” is no address that starts with http:// or https://.`);
        return null;
      }
      void page.goto(url, options).catch(failed);
      return { type: 'goto', url };
    }
    case 'back':
      void page.goBack(options).catch(failed);
      return { type: 'go_back' };
    case 'forward':
      void page.goForward(options).catch(failed);
      return { type: 'go_forward' };
    case 'reload':
      void page.reload(options).catch(failed);
      return { type: 'reload' };
  }
}

/** As typed: without a scheme it is http. Null when it is no address of the web. */
export function addressOf(text: string): string | null {
  const trimmed = text.trim();
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url.href : null;
}
