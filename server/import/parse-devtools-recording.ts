import { z } from 'zod';
import { type BrowserAction, browserActionSchema } from '../../shared/browser-actions.ts';
import type { Locator } from '../../shared/locator.ts';
import { problem } from '../../shared/problem.ts';
import type { Unsupported } from '../../shared/recording.ts';

/**
 * The JSON of the Recorder panel of Chrome's DevTools, as actions. Source: the schema of @puppeteer/replay, which
 * writes and reads it.
 *
 * Throws import_unreadable when it is no such recording. `line` of an action is the place of its step, from 1.
 */
export function parseDevtoolsRecording(json: unknown): {
  name: string | null;
  actions: BrowserAction[];
  unsupported: Unsupported[];
} {
  const recording = recordingSchema.safeParse(json);
  if (!recording.success) {
    throw problem(
      'import_unreadable',
      'The file is JSON but not a DevTools recording: it has no list of steps.',
    );
  }
  const actions: BrowserAction[] = [];
  const unsupported: Unsupported[] = [];
  for (const [index, step] of recording.data.steps.entries()) {
    const line = index + 1;
    // A key goes down and up again: one press.
    if (step.type === 'keyUp') continue;
    const read = readStep(step);
    const action =
      'reason' in read
        ? (read as { reason: string })
        : browserActionSchema.safeParse({ line, page: 0, ...read });
    if ('reason' in action) unsupported.push({ line, reason: `Step ${line} ${action.reason}.` });
    else if (action.success) actions.push(action.data);
    else unsupported.push({ line, reason: `Step ${line} has a text or number beyond the limits.` });
  }
  return { name: recording.data.title ?? null, actions, unsupported };
}

const stepSchema = z.object({
  type: z.string(),
  url: z.string().optional(),
  selectors: z.array(z.union([z.string(), z.array(z.string())])).optional(),
  value: z.string().optional(),
  key: z.string().optional(),
  button: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  visible: z.boolean().optional(),
  count: z.number().optional(),
  operator: z.string().optional(),
  frame: z.array(z.number()).optional(),
  target: z.string().optional(),
});
type DevtoolsStep = z.infer<typeof stepSchema>;
const recordingSchema = z.object({ title: z.string().optional(), steps: z.array(stepSchema).max(5000) });

/** The members of an action besides line and page, checked when they are together; or why there is none. */
type Parts = { type: BrowserAction['type']; [member: string]: unknown } | { reason: string };

function readStep(step: DevtoolsStep): Parts {
  if (step.frame !== undefined && step.frame.length > 0)
    return { reason: 'is inside a frame, which is not supported' };
  if (step.target !== undefined && step.target !== 'main')
    return { reason: 'is in another window, which is not supported' };
  switch (step.type) {
    case 'navigate':
      return step.url === undefined ? { reason: 'has no address' } : { type: 'goto', url: step.url };
    case 'setViewport':
      return { type: 'viewport', width: Math.round(step.width ?? 0), height: Math.round(step.height ?? 0) };
    case 'click':
    case 'doubleClick': {
      const button = step.button === 'secondary' ? 'right' : step.button === 'auxiliary' ? 'middle' : 'left';
      return located(step, { type: 'click', button, clicks: step.type === 'click' ? 1 : 2, opens: null });
    }
    case 'change':
      return located(step, { type: 'fill', value: step.value ?? '' });
    case 'hover':
      return located(step, { type: 'hover' });
    case 'keyDown':
      return { type: 'press', locator: null, key: step.key ?? '' };
    case 'waitForElement':
      if (step.count !== undefined && (step.operator ?? '>=') === '==') {
        return located(step, { type: 'expect_count', count: step.count });
      }
      return located(step, { type: step.visible === false ? 'expect_hidden' : 'expect_visible' });
    case 'scroll':
      return { reason: 'scrolls, which the replay does automatically' };
    case 'waitForExpression':
      return { reason: 'runs code in the page, which is not supported' };
    default:
      return { reason: `has the type ${step.type.slice(0, 40)}, which is not supported` };
  }
}

function located(step: DevtoolsStep, action: Parts & { type: string }): Parts {
  const locator = locatorOf(step);
  return locator === null ? { reason: 'has no supported selector' } : { ...action, locator };
}

/** DevTools writes several selectors for one element; the one that a reader would write is taken. */
function locatorOf({ selectors }: DevtoolsStep): Locator | null {
  const plain = (selectors ?? []).flatMap((selector) => {
    if (typeof selector === 'string') return [selector];
    // Several parts lead through shadow roots, which Playwright enters by itself.
    return selector.length > 0 ? [selector.join(' >>> ')] : [];
  });
  for (const read of [ariaLocator, textLocator, cssLocator, xpathLocator]) {
    for (const selector of plain) {
      const locator = read(selector);
      if (locator !== null) return locator;
    }
  }
  return null;
}

/** `aria/Log in[role="button"]`; without a role it names a field by its label. */
function ariaLocator(selector: string): Locator | null {
  const [, name = '', role] = /^aria\/(.*?)(?:\[role="([\w-]+)"\])?$/s.exec(selector) ?? [];
  if (name === '' || selector.includes(' >>> ')) return null;
  const match = { type: 'text', text: name, exact: true } as const;
  return role === undefined ? null : [{ by: 'role', role, name: match }];
}

function textLocator(selector: string): Locator | null {
  if (!selector.startsWith('text/') || selector.includes(' >>> ')) return null;
  return [{ by: 'text', match: { type: 'text', text: selector.slice('text/'.length), exact: false } }];
}

function cssLocator(selector: string): Locator | null {
  if (/^(aria|text|xpath|pierce)\//.test(selector)) return null;
  return [{ by: 'selector', selector: selector.replaceAll(' >>> ', ' ') }];
}

function xpathLocator(selector: string): Locator | null {
  return selector.startsWith('xpath/')
    ? [{ by: 'selector', selector: `xpath=${selector.slice('xpath/'.length)}` }]
    : null;
}
