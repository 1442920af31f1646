// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how a scenario writes a secret
import { expect, test } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

test('a value is hidden however it is spelled, wherever it stands', () => {
  const mask = maskSecrets({ password: 'open "sesame" & co' });
  const said = {
    location: '/?p=open%20%22sesame%22%20%26%20co',
    list: ['open+%22sesame%22+%26+co', 'open \\"sesame\\" & co', 'open &quot;sesame&quot; &amp; co', 7, null],
  };
  expect(mask(said)).toEqual({
    location: '/?p=${secret:password}',
    list: ['${secret:password}', '${secret:password}', '${secret:password}', 7, null],
  });
});

test('without secrets nothing is copied', () => {
  const value = { text: 'x' };
  expect(maskSecrets({})(value)).toBe(value);
});
