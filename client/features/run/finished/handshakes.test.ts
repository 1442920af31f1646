/** Protects the share of resumed handshakes on the page: shown once there are some. */
import { expect, test } from 'vitest';
import { handshakesInWords } from './handshakes.ts';

test('the share of resumed handshakes is shown once there are some', () => {
  expect(handshakesInWords({ full: 8, resumed: 0 })).toBe('8 full');
  expect(handshakesInWords({ full: 120, resumed: 480 })).toBe('120 full and 480 resumed (80 %)');
  expect(handshakesInWords({ full: 0, resumed: 0 })).toBe('0 full');
});
