import { z } from 'zod';
import { environmentSchema } from '../../shared/base/environment.ts';
import { problem } from '../../shared/base/problem.ts';
import { problemSchema } from '../../shared/base/problem-schema.ts';
import { measurementStateSchema } from '../../shared/measurement/measurement.ts';
import { figures, table, text, texts } from '../../shared/report/report.ts';
import { isMeasured, type Kind } from '../kinds/kind.ts';
import { Progress } from '../kinds/progress.ts';

/**
 * For tests: a kind of measurement that counts the letters of words, a block each, so that every part of the contract is
 * used by something whose outcome is plain.
 */
const dummyRequestSchema = z.strictObject({
  kind: z.literal('dummy').default('dummy'),
  words: z.array(z.string().min(1)).default(['one', 'three']),
  /** Names of secrets that it needs. */
  needs: z.array(z.string()).default([]),
});
export type DummyRequest = z.infer<typeof dummyRequestSchema>;

const dummyFactsSchema = z.strictObject({ letters: z.int(), note: z.string() });
export type DummyFacts = z.infer<typeof dummyFactsSchema>;

const dummyBlockSchema = z.strictObject({ word: z.string(), letters: z.int() });
export type DummyBlock = z.infer<typeof dummyBlockSchema>;

export const dummyDocumentSchema = z.strictObject({
  schemaVersion: z.literal(2),
  kind: z.literal('dummy'),
  id: z.string(),
  state: measurementStateSchema,
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  endedAt: z.int().nullable(),
  problem: problemSchema.nullable(),
  environment: environmentSchema,
  request: dummyRequestSchema,
  ...dummyFactsSchema.shape,
  blocks: z.array(dummyBlockSchema),
});
export type DummyDocument = z.infer<typeof dummyDocumentSchema>;

export type DummyKind = Kind<DummyRequest, DummyFacts, DummyBlock, DummyDocument, unknown>;

export const dummy: DummyKind = {
  name: 'dummy',
  noun: 'a count of letters',
  caption: 'Letters of words',
  page: 'l',
  requestSchema: dummyRequestSchema,
  factsSchema: dummyFactsSchema,
  blockSchema: dummyBlockSchema,
  documentSchema: dummyDocumentSchema,
  documentVersion: 2,
  upgraders: { 1: ({ sum, ...earlier }) => ({ ...earlier, letters: sum }) },
  title: ({ words }) => `Letters of ${words.join(', ')}`,
  targets: ({ words }) => words,
  async prepare({ words, needs }, secrets) {
    const missing = needs.find((name) => !Object.hasOwn(secrets, name));
    if (missing !== undefined) throw problem('secret_missing', `“${missing}” has no value.`);
    return { facts: { letters: 0, note: '' }, summary: { words: words.length }, revisionId: null };
  },
  resumable: true,
  secretsOf: ({ needs }) => needs,
  async conduct({ request: { words }, facts }, { signal, tell, keep }) {
    let { letters } = facts;
    // Three seconds a word, whatever it takes.
    const phases = () => [{ name: 'counting' as const, seconds: 3 * words.length, rounds: words.length }];
    const progress = new Progress({ phases, counts: { round: 'word', step: null } }, tell);
    for (const word of words) {
      signal.throwIfAborted();
      letters += word.length;
      await keep({ block: { word, letters: word.length }, facts: { ...facts, letters } });
      progress.endRound();
    }
  },
  documentOf: (frame, { facts, blocks }) => ({
    schemaVersion: 2,
    kind: 'dummy',
    ...frame,
    ...(isMeasured(frame) ? { state: 'finished' } : {}),
    ...facts,
    blocks,
  }),
  summaryOf: ({ blocks, letters }) => ({ words: blocks.length, letters }),
  rows: ({ blocks }) => [['word', 'letters'], ...blocks.map(({ word, letters }) => [word, letters])],
  report: ({ letters, blocks, request: { words } }) => ({
    ...{ title: `Letters of ${words.join(', ')}`, lead: [text(String(letters))], about: [], notes: [] },
    sections: [
      {
        heading: null,
        parts: [
          table(
            [...texts('Word'), ...figures('Letters')],
            blocks.map(({ word, letters }) => [word, String(letters)]),
          ),
        ],
      },
    ],
  }),
  headline: () => null,
  changes: () => {
    throw problem('results_not_comparable', 'Letters are not compared.');
  },
};
