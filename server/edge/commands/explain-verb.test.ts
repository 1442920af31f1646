/** Protects the flags of an explanation: a run says what is explained, so nothing else may. */
import { expect, test } from 'vitest';
import { parseExplain } from './explain-verb.ts';

const id = '3fK9mQx7Lw2RtYb8NcVd1Z';

test('a run is named by its ID or a link, beside how often its target is started', () => {
  const { run, request } = parseExplain(['--run', `http://127.0.0.1:7300/r/${id}`, '--starts', '3']);
  expect(run).toEqual({ argument: '--run', id });
  expect(request.launches).toBe(3);
});

test('what a run says itself is refused beside it', () => {
  expect(() => parseExplain(['--run', id, '--target', 'haproxy'])).toThrow(
    '--run already names the target and its load. Leave out --target.',
  );
});
