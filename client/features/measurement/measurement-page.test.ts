/** Protects the form that repeats a result: what is chosen is what is sent, and what cannot be is refused at its field. */
import { expect, test } from 'vitest';
import { blankRepeat, parseRepeat, type RepeatDraft } from './measurement-page.tsx';

const of = 'x'.repeat(22);
const parse = (change: Partial<RepeatDraft>) => parseRepeat(of, { ...blankRepeat, ...change }, 'Asia/Tokyo');
const zone = 'Asia/Tokyo';

test.each<[Partial<RepeatDraft>, object]>([
  [{}, { rhythm: { every: 'night', at: '02:30', zone }, times: null, lastDay: null }],
  [{}, { labels: undefined }],
  [{ labels: '' }, { labels: {} }],
  [{ labels: 'site=fra' }, { labels: { site: 'fra' } }],
  [{ every: 'hour', at: '' }, { rhythm: { every: 'hour', minute: 0, zone } }],
  [
    { every: 'week', day: 'Friday', at: '22:00' },
    { rhythm: { every: 'week', day: 'Friday', at: '22:00', zone } },
  ],
  [
    { times: ' 30 ', lastDay: '2026-12-31' },
    { times: 30, lastDay: '2026-12-31' },
  ],
])('%j', (change, schedule) => expect(parse(change)).toMatchObject({ schedule: { of, ...schedule } }));

test.each<[Partial<RepeatDraft>, string]>([
  [{ at: '' }, 'rhythm.at'],
  [{ times: '0' }, 'times'],
  [{ times: '1.5' }, 'times'],
  [{ times: 'many' }, 'times'],
  [{ lastDay: '31.12.' }, 'lastDay'],
])('%j is refused at %s', (change, field) => expect(parse(change)).toMatchObject({ errors: [{ field }] }));
