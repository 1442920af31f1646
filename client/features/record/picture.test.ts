/** Protects mouse and keyboard on the recorder’s picture: they reach the same place of the page. */
import { describe, expect, test } from 'vitest';
import { countClicks, type Key, keyInput, pointOf } from './picture.tsx';

const key = (facts: Partial<Key>): Key => ({
  ...{ key: 'a', code: 'KeyA', keyCode: 65, repeat: false },
  ...{ altKey: false, ctrlKey: false, metaKey: false, shiftKey: false },
  ...facts,
});

describe('input on the picture', () => {
  test('is at the same place of the page, whatever the size of the picture, and never beside it', () => {
    const box = { left: 10, top: 20, width: 640, height: 360 };
    const viewport = { width: 1280, height: 720 };
    expect(pointOf({ clientX: 330, clientY: 200 }, box, viewport)).toEqual({ x: 640, y: 360 });
    expect(pointOf({ clientX: 0, clientY: 5000 }, box, viewport)).toEqual({ x: 0, y: 719 });
  });

  test('counts clicks that follow each other at one place, up to three', () => {
    const at = { x: 5, y: 5 };
    const first = countClicks(null, 0, at);
    const second = countClicks(first, 200, at);
    expect([first.count, second.count]).toEqual([1, 2]);
    expect(countClicks(countClicks(second, 300, at), 400, at).count).toBe(3);
    expect(countClicks(second, 900, at).count).toBe(1);
    expect(countClicks(second, 300, { x: 50, y: 5 }).count).toBe(1);
  });

  test('passes keys and commands on, but not those of the reader’s own browser', () => {
    expect(keyInput('key_down', key({}))).toMatchObject({ type: 'key_down', key: 'a', control: false });
    expect(keyInput('key_down', key({ ctrlKey: true }))).toMatchObject({ key: 'a', control: true });
    expect(keyInput('key_down', key({ key: '@', ctrlKey: true, altKey: true }))).toMatchObject({ key: '@' });
    for (const own of [
      { key: 'F5' },
      { key: 'r', ctrlKey: true },
      { key: 'v', metaKey: true },
      { key: 'Dead' },
    ]) {
      expect(keyInput('key_down', key(own))).toBeNull();
    }
  });
});
