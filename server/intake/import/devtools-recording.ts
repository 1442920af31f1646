import { problem } from '../../../shared/base/problem.ts';
import { type BrowserAction, browserActionSchema } from '../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../shared/scenario/import.ts';
import type { Locator, LocatorPart } from '../../../shared/scenario/locator.ts';
import {
  type LocatedStep,
  noteOn,
  type RecordedStep,
  readRecordedStep,
  recordingSchema,
  type Selector,
  type WithoutEffect,
} from './recording-schema.ts';

const kinds = ['aria', 'text', 'css', 'pierce', 'xpath'] as const;
type Kind = (typeof kinds)[number];

type Located = Pick<LocatedStep, 'selectors' | 'frame'>;
type Locators = { locator: Locator; otherwise?: Locator[] } | null;

/**
 * The locators that the selectors of a step mean, those first that a reader would write. DevTools writes several for one
 * element; each finds the first that matches. Null when none is understood.
 */
function readSelectors(step: Located): Locators {
  const ordered = kinds.flatMap((kind) =>
    step.selectors.filter((selector) => kindOf(lastOf(selector)) === kind),
  );
  return locatorsOf({ ...step, selectors: ordered }, [first]);
}

/** The same for a wait, which counts all that a selector finds and takes them in the order of the recording. */
function readCounted(step: Located): Locators {
  return locatorsOf(step, []);
}

function locatorsOf({ selectors, frame = [] }: Located, last: LocatorPart[]): Locators {
  const outer = frameParts(frame);
  const [locator, ...others] = selectors.flatMap((selector) => {
    const parts = partsOf(selector, outer.length > 0);
    return parts === null ? [] : [[...outer, ...parts, ...last]];
  });
  if (locator === undefined) return null;
  return { locator, ...(others.length === 0 ? {} : { otherwise: others.slice(0, 10) }) };
}

const first: LocatorPart = { by: 'nth', index: 0 };

/** A frame is given by its index among the frames of its parent. */
function frameParts(frame: readonly number[]): LocatorPart[] {
  return frame.flatMap((index): LocatorPart[] => [
    { by: 'frame', selector: 'iframe, frame' },
    { by: 'nth', index },
  ]);
}

function lastOf(selector: Selector): string {
  return typeof selector === 'string' ? selector : (selector.at(-1) ?? '');
}

function kindOf(selector: string): Kind {
  return kinds.find((kind) => selector.startsWith(`${kind}/`)) ?? 'css';
}

/** Several parts lead through shadow roots, which Playwright pierces anyway. */
function partsOf(selector: Selector, isInside: boolean): LocatorPart[] | null {
  const chain = typeof selector === 'string' ? [selector] : selector;
  const parts = chain.map((part) => partOf(part, isInside || chain.length > 1));
  return parts.includes(null) ? null : parts.flatMap((part) => part ?? []);
}

/** @param isInside whether it is looked for inside something else */
function partOf(selector: string, isInside: boolean): LocatorPart[] | null {
  const kind = kindOf(selector);
  const body = selector.startsWith(`${kind}/`) ? selector.slice(kind.length + 1) : selector;
  if (body === '') return null;
  switch (kind) {
    case 'aria':
      return ariaParts(body, isInside);
    case 'text':
      return [{ by: 'text', match: { type: 'pattern', pattern: patternOf(body), flags: '' } }];
    case 'xpath':
      return [{ by: 'selector', selector: `xpath=${body}` }];
    default:
      // Puppeteer's own pseudo-elements are no CSS.
      return body.includes('::-p-')
        ? null
        : [
            {
              by: 'selector',
              selector: body
                .split(/>>>>?/)
                .map((part) => part.trim())
                .join(' '),
            },
          ];
  }
}

const attribute = /\[\s*(\w+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')\s*\]/g;

/** `Log in[role="button"]`; without a role it is whatever has that name. Source: Puppeteer's AriaQueryHandler. */
function ariaParts(body: string, isInside: boolean): LocatorPart[] | null {
  let role: string | null = null;
  let name = body;
  for (const [whole, key, double, single] of body.matchAll(attribute)) {
    const value = (double ?? single ?? '').replace(/\\(.)/g, '$1');
    if (key === 'role') role = value;
    else if (key !== 'name') return null;
    name = name.replace(whole, key === 'name' ? value : '');
  }
  name = name.replace(/\s+/g, ' ').trim();
  const match = { type: 'text', text: name, exact: true } as const;
  if (role !== null) return [{ by: 'role', role, name: name === '' ? null : match }];
  if (name === '') return null;
  const others = (['text', 'alt_text', 'title', 'placeholder'] as const).map(
    (by): LocatorPart => ({ by: 'or', locator: [{ by, match }] }),
  );
  // Inside an element, alternatives for the whole page make no sense.
  return [{ by: 'label', match }, ...(isInside ? [] : others)];
}

/** Letter by letter, but for white space. */
function patternOf(text: string): string {
  return text
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .trim()
    .replace(/\s+/g, '\\s+');
}

/** A step with its place in the recording, from 1. */
type Placed<Step = RecordedStep> = { line: number; step: Step };

/** Keys that went down and up again. */
type Press = { type: 'press'; key: string; target?: string | undefined };

type KeyStep = Extract<RecordedStep, { type: 'keyDown' | 'keyUp' }>;

const modifier = /^(Alt|Control|Meta|Shift)(?:Left|Right)?$/;
const mostModifiers = 4;

/** Keys that are pressed together become one chord such as `Control+a`; others stay as they are. */
function foldKeys(steps: readonly Placed[]): Placed<RecordedStep | Press>[] {
  const folded: Placed<RecordedStep | Press>[] = [];
  let at = 0;
  while (at < steps.length) {
    const placed = steps[at];
    if (placed === undefined) break;
    const chord = chordAt(steps, at);
    const { line, step } = placed;
    const press = { type: 'press', key: chord?.join('+') ?? '', target: step.target } as const;
    folded.push({ line, step: chord === null ? step : press });
    at += chord === null ? 1 : chord.length * 2;
  }
  return folded;
}

/** Modifiers go down, a key goes down, and all of them go up again, with nothing between. */
function chordAt(steps: readonly Placed[], at: number): string[] | null {
  const down: string[] = [];
  for (let length = 1; length <= mostModifiers + 1; length++) {
    const step = keyAt(steps, at + length - 1);
    if (step?.type !== 'keyDown') return null;
    down.push(step.key);
    const up = Array.from({ length }, (_, index) => keyAt(steps, at + length + index));
    const released = up.flatMap((key) => (key?.type === 'keyUp' ? [key.key] : []));
    if (released.length === length && isSame(down, released)) return chordOf(down);
    if (!modifier.test(step.key)) return null;
  }
  return null;
}

function keyAt(steps: readonly Placed[], index: number): KeyStep | null {
  const step = steps[index]?.step;
  return step?.type === 'keyDown' || step?.type === 'keyUp' ? step : null;
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.toSorted().join('\n') === right.toSorted().join('\n');
}

/** The left and the right one of a modifier are the same in a chord. */
function chordOf(keys: readonly string[]): string[] {
  return keys.map((key, index) => (index < keys.length - 1 ? key.replace(modifier, '$1') : key));
}

type DevtoolsRecording = {
  name: string | null;
  actions: BrowserAction[];
  unsupported: Unsupported[];
  notes: string[];
};

/**
 * The JSON of the Recorder panel of Chrome's DevTools, as actions. `line` of an action is the place of its step, from 1.
 * Throws import_unreadable when it is no such recording.
 */
export function parseDevtoolsRecording(json: unknown): DevtoolsRecording {
  const recording = recordingSchema.safeParse(json);
  if (!recording.success) {
    throw problem(
      'import_unreadable',
      'The file is JSON but not a DevTools recording: it has no list of steps.',
    );
  }
  const actions: BrowserAction[] = [];
  const unsupported: Unsupported[] = [];
  const withoutEffect: WithoutEffect[] = [];
  const refuse = (line: number, reason: string) =>
    unsupported.push({ line, reason: `Step ${line} ${reason}.` });
  const steps: Placed[] = [];
  for (const [index, given] of recording.data.steps.entries()) {
    const read = readRecordedStep(given);
    if ('reason' in read) refuse(index + 1, read.reason);
    else steps.push({ line: index + 1, step: read.step });
  }
  const pageOf = openWindows();
  for (const { line, step } of foldKeys(steps)) {
    const read = readStep(step);
    if (typeof read.reason === 'string') {
      refuse(line, read.reason);
      continue;
    }
    const page = pageOf(step.target ?? 'main', step.type === 'navigate', actions);
    if (page === null) {
      refuse(line, 'is in another window, and no click before it could have opened one');
      continue;
    }
    const action = browserActionSchema.safeParse({ line, page, ...read, ...navigation(step) });
    if (action.success) actions.push(action.data);
    else refuse(line, 'has a text or number beyond the limits');
    if (step.type !== 'press') withoutEffect.push(...aside(step, line));
  }
  unsupported.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { name: recording.data.title ?? null, actions, unsupported, notes: noteOn(withoutEffect, 'step') };
}

/** A step that leads to another page is over when it is there; opening an address waits anyway. */
function navigation(step: RecordedStep | Press): { navigates?: true } {
  if (step.type === 'press' || step.type === 'navigate') return {};
  const isAsserted = (step.assertedEvents ?? []).length > 0;
  const isInFrame = Array.isArray(step.frame) && step.frame.length > 0;
  return isAsserted && !isInFrame ? { navigates: true } : {};
}

/** Parts of a step that change nothing that is sent. */
function aside(step: RecordedStep, line: number): WithoutEffect[] {
  const parts: string[] = [];
  if (step.timeout !== undefined) parts.push('timeout');
  if (step.type === 'setViewport' && (step.isMobile === true || step.hasTouch === true))
    parts.push('a phone instead of a desktop');
  if (step.type === 'setViewport' && (step.deviceScaleFactor ?? 1) !== 1) parts.push('deviceScaleFactor');
  if ((step.type === 'click' || step.type === 'doubleClick') && (step.deviceType ?? 'mouse') !== 'mouse')
    parts.push(`a ${step.deviceType} instead of a mouse`);
  return parts.map((what) => ({ line, what }));
}

/**
 * The number of a window's page by its target: the first is `main`, another is opened by the last click before its first step.
 * Null when nothing before could have opened it.
 */
function openWindows() {
  const pages = new Map([['main', 0]]);
  /** @param opens whether the step opens an address, for which a new window will do */
  return (target: string, opens: boolean, before: readonly BrowserAction[]): number | null => {
    const known = pages.get(target);
    if (known !== undefined) return known;
    const page = pages.size;
    const click = before.findLast((action) => action.type === 'click');
    if (!opens) {
      if (click?.type !== 'click' || click.opens !== null) return null;
      click.opens = page;
    }
    pages.set(target, page);
    return page;
  };
}

/** The members of an action besides line and page, checked when they are together; or why there is none. */
type Parts = { type: BrowserAction['type']; [member: string]: unknown } | { reason: string };

/** @returns what the step does; a reason is the rest of a sentence that begins with the step */
function readStep(step: RecordedStep | Press): Parts {
  switch (step.type) {
    case 'navigate':
      return { type: 'goto', url: step.url };
    case 'close':
      return { type: 'close_page' };
    case 'setViewport':
      return { type: 'viewport', width: Math.round(step.width), height: Math.round(step.height) };
    case 'click':
    case 'doubleClick':
      return readClick(step);
    case 'change':
      return located(step, { type: 'change', value: step.value });
    case 'hover':
      return located(step, { type: 'hover' });
    case 'keyDown':
    case 'keyUp':
      return key(step.type === 'keyDown' ? 'key_down' : 'key_up', step.key);
    case 'press':
      return key('press', step.key);
    case 'scroll':
      return readScroll(step);
    case 'waitForElement':
      return readWait(step);
    case 'emulateNetworkConditions':
      return { reason: 'changes the network, which a run must not' };
    case 'waitForExpression':
      return { reason: 'runs code in the page, which is not supported' };
    case 'customStep':
      return { reason: `is the custom step “${step.name.slice(0, 40)}”, which is not supported` };
  }
}

const buttons = { primary: 'left', auxiliary: 'middle', secondary: 'right' } as const;

function readClick(step: Extract<RecordedStep, { type: 'click' | 'doubleClick' }>): Parts {
  const { button = 'primary', offsetX, offsetY, duration } = step;
  if (button === 'back' || button === 'forward')
    return { reason: `clicks with the ${button} button of the mouse, which is not supported` };
  return located(step, {
    type: 'click',
    button: buttons[button],
    clicks: step.type === 'click' ? 1 : 2,
    ...(offsetX === undefined || offsetY === undefined ? {} : { position: { x: offsetX, y: offsetY } }),
    ...(duration === undefined ? {} : { holdMs: Math.round(duration) }),
    opens: null,
  });
}

function readScroll({
  selectors,
  frame = [],
  x = 0,
  y = 0,
}: Extract<RecordedStep, { type: 'scroll' }>): Parts {
  if (selectors !== undefined) return located({ selectors, frame }, { type: 'scroll', x, y });
  const page = frame.length === 0 ? null : [...frameParts(frame), { by: 'selector', selector: ':root' }];
  return { type: 'scroll', locator: page, x, y };
}

function readWait(step: Extract<RecordedStep, { type: 'waitForElement' }>): Parts {
  if (step.properties !== undefined && step.properties !== null)
    return { reason: 'checks properties of an element, which is not supported. Use attributes instead' };
  const { count = 1, operator = '>=', attributes = {}, visible = true } = step;
  const found = readCounted(step);
  if (found === null) return { reason: 'has no supported selector' };
  const negated = visible ? {} : { negated: true };
  return { type: 'expect_elements', count, operator, attributes, ...negated, ...found };
}

function located(step: Pick<LocatedStep, 'selectors' | 'frame'>, action: Parts & { type: string }): Parts {
  const found = readSelectors(step);
  return found === null ? { reason: 'has no supported selector' } : { ...action, ...found };
}

/** Keys of DevTools that Chromium's keyboard has not on a desktop. */
const unknownKeys = new Set(
  `Power Eject Abort Help Convert NonConvert Select Open F13 F14 F15 F16 F17 F18 F19 F20 F21 F22 F23 F24 MediaStop NumpadEqual
  Props Cancel Accept ModeChange Print Execute \u0000 Attn CrSel ExSel EraseEof Play ZoomOut SoftLeft SoftRight Camera Call
  EndCall VolumeDown VolumeUp`.split(/[ \n]+/),
);

/** A key that goes down or up, or a chord that is pressed. */
function key(type: 'key_down' | 'key_up' | 'press', name: string): Parts {
  const last = name === '+' || name.endsWith('++') ? '+' : (name.split('+').at(-1) ?? '');
  if (name === '' || unknownKeys.has(last))
    return { reason: `presses the key “${last}”, which is not supported` };
  return type === 'press' ? { type, locator: null, key: name } : { type, key: name };
}
