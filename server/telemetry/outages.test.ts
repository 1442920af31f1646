/** Protects the log from a collector that is away: one line an outage, however many exports fail. */
import { expect, test } from 'vitest';
import { openOutages } from './outages.ts';

test('an outage is named when it begins, and the next one again', () => {
  const said: string[] = [];
  const { note } = openOutages((sentence) => said.push(sentence));
  const refused = new Error('connect ECONNREFUSED 127.0.0.1:4318');
  note('traces', refused);
  note('metrics', refused);
  note('traces', refused);
  expect(said).toEqual([
    'Cannot send traces to OTEL_EXPORTER_OTLP_ENDPOINT (connect ECONNREFUSED 127.0.0.1:4318). Measurements continue, and whatever the collector does not accept is dropped. Check the address, or set OTEL_TRACES_EXPORTER=none.',
  ]);
  note('traces', null);
  note('traces', refused);
  expect(said).toHaveLength(1);
  note('traces', null);
  note('metrics', null);
  note('metrics', refused);
  expect(said).toHaveLength(2);
});
