import { problem } from '../../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import { browserActionSchema } from '../../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../../shared/scenario/recording.ts';
import { noteOn, type WithoutEffect } from '../note-on.ts';
import { foldKeys, type Placed, type Press } from './fold-keys.ts';
import { readStep } from './read-step.ts';
import { type RecordedStep, readRecordedStep, recordingSchema } from './recording-schema.ts';

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

/** What of a step changes nothing that is sent. */
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
