/** Protects axis labels from touching each other or leaving the axis, and the arrows at its ends. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { niceTicks, printChangeTick, shiftAxis, usTicks } from '../../shared/base/quantity.ts';
import { Arrows, fittingLabels, letterPx, placeOn } from './strips.tsx';

const headlines = [
  { lo: 0.72, hi: 0.78 },
  { lo: -0.2, hi: 0.004 },
  { lo: -0.06, hi: 0.2 },
  { lo: -0.46, hi: -0.4 },
  { lo: -0.01, hi: 0.01 },
  { lo: -0.99, hi: 100 },
  { lo: 0.0001, hi: 0.0002 },
];

const axes = headlines.flatMap((headline) => [
  { axis: shiftAxis([headline], [], 0.05), print: printChangeTick },
  { axis: shiftAxis([{ lo: 40 * headline.lo, hi: 40 * headline.hi }], [], 2), print: usTicks(40) },
]);

const widths = [60, 100, 144, 200, 288, 343, 600];

test.each(widths)('labels on %d pixels neither touch nor leave the axis, and include zero', (widthPx) => {
  for (const { axis, print } of axes) {
    const place = placeOn(axis);
    const ticks = niceTicks(axis.from, axis.to, 4);
    const labels = ticks.map((value) => ({ value, text: print(value), at: place(value) }));
    const boxes = fittingLabels(labels, widthPx).map(({ value, text, at }) => {
      const half = (text.length * letterPx) / 2;
      return { value, text, left: at * widthPx - half, right: at * widthPx + half };
    });
    expect(boxes.some(({ value }) => value === 0)).toBe(true);
    for (const [index, { left, right, text }] of boxes.entries()) {
      const next = boxes[index + 1];
      if (next !== undefined) expect(right, `${text} beside ${next.text}`).toBeLessThan(next.left);
      if (text.length * letterPx > widthPx) continue;
      expect(left).toBeGreaterThanOrEqual(-1e-9);
      expect(right).toBeLessThanOrEqual(widthPx + 1e-9);
    }
  }
});

test('every tick has its label if there is room', () => {
  const labels = [-0.5, 0, 0.5, 1].map((value) => ({
    value,
    text: printChangeTick(value),
    at: (value + 0.6) / 1.7,
  }));
  expect(fittingLabels(labels, 288).map(({ text }) => text)).toEqual(['−50 %', '0 %', '+50 %', '+100 %']);
});

test.each([
  [0.2, 0.8, []],
  [-2, 0.8, ['-7']],
  [-2, 3, ['-7', '7']],
  [2, 3, ['7']],
  [-3, -2, ['-7']],
])('an interval from %d to %d has arrows where it goes beyond an axis from 0 to 1', (lo, hi, tips) => {
  const drawn = renderToStaticMarkup(createElement(Arrows, { axis: { from: 0, to: 1 }, lo, hi, y: 0 }));
  expect([...drawn.matchAll(/L(-?7) 0/g)].map(([, tip]) => tip)).toEqual(tips);
});
