import { problem } from '../../../../shared/base/problem.ts';
import type { BrowserAction } from '../../../../shared/scenario/browser-actions.ts';
import { browserActionSchema } from '../../../../shared/scenario/browser-actions.ts';
import type { Unsupported } from '../../../../shared/scenario/recording.ts';
import { noteOn, type WithoutEffect } from '../note-on.ts';
import { type Folded, foldKeys, targetOf } from './fold-keys.ts';
import { key, readStep } from './read-step.ts';
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
  const steps: { line: number; step: RecordedStep }[] = [];
  for (const [index, given] of recording.data.steps.entries()) {
    const read = readRecordedStep(given);
    if ('reason' in read) refuse(index + 1, read.reason);
    else steps.push({ line: index + 1, step: read.step });
  }
  const windows = openWindows();
  for (const folded of foldKeys(steps)) {
    const { line } = folded;
    const read = 'press' in folded ? key('press', folded.press) : readStep(folded.step);
    if (typeof read.reason === 'string') {
      refuse(line, read.reason);
      continue;
    }
    const page = windows.pageOf(target(folded), 'step' in folded && folded.step.type === 'navigate', actions);
    if (page === null) {
      refuse(line, 'is in another window, and no click before it could have opened one');
      continue;
    }
    const action = browserActionSchema.safeParse({ line, page, ...read, ...navigation(folded) });
    if (action.success) actions.push(action.data);
    else refuse(line, 'has a text or number beyond the limits');
    if ('step' in folded) withoutEffect.push(...aside(folded.step, line));
  }
  unsupported.sort((a, b) => (a.line ?? 0) - (b.line ?? 0));
  return { name: recording.data.title ?? null, actions, unsupported, notes: noteOn(withoutEffect, 'step') };
}

function target(folded: Folded): string {
  return 'press' in folded ? folded.target : targetOf(folded.step);
}

/** A step that leads to another page is over when it is there; opening an address waits anyway. */
function navigation(folded: Folded): { navigates?: true } {
  if ('press' in folded || folded.step.type === 'navigate') return {};
  const isAsserted = (folded.step.assertedEvents ?? []).length > 0;
  const isInFrame = Array.isArray(folded.step.frame) && folded.step.frame.length > 0;
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

type Windows = {
  /**
   * The number of a window's page. Null when nothing before could have opened it.
   * @param opens whether the step opens an address, for which a new window will do
   */
  pageOf(target: string, opens: boolean, before: readonly BrowserAction[]): number | null;
};

/** Windows by their targets: the first is `main`, another is opened by the last click before its first step. */
function openWindows(): Windows {
  const pages = new Map([['main', 0]]);
  return {
    pageOf(target, opens, before) {
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
    },
  };
}
