import type { Locator, LocatorPart } from '../../../../shared/scenario/locator.ts';
import type { LocatedStep, Selector } from './recording-schema.ts';

const kinds = ['aria', 'text', 'css', 'pierce', 'xpath'] as const;
type Kind = (typeof kinds)[number];

type Located = Pick<LocatedStep, 'selectors' | 'frame'>;
type Locators = { locator: Locator; otherwise?: Locator[] } | null;

/**
 * The locators that the selectors of a step mean, those first that a reader would write. DevTools writes several for one
 * element; each finds the first that matches. Null when none is understood.
 */
export function readSelectors(step: Located): Locators {
  const ordered = kinds.flatMap((kind) =>
    step.selectors.filter((selector) => kindOf(lastOf(selector)) === kind),
  );
  return locatorsOf({ ...step, selectors: ordered }, [first]);
}

/** The same for a wait, which counts all that a selector finds and takes them in the order of the recording. */
export function readCounted(step: Located): Locators {
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
export function frameParts(frame: readonly number[]): LocatorPart[] {
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
