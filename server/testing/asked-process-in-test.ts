import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { answerQuestions } from '../base/process/asked-process.ts';
import { Reason } from '../base/text/foreign-errors.ts';

/** A process that answers as it should and every way it should not, for the tests of what asks processes. */

export const questions = {
  echo: {
    question: z.strictObject({ text: z.string().default('nothing'), afterMs: z.int() }),
    answer: z.string(),
  },
  count: { question: z.void(), answer: z.instanceof(Uint32Array) },
  refuse: { question: z.string(), answer: z.void() },
  /** Throws an error of this library or of the system. */
  fail: { question: z.enum(['SQLite', 'koffi', 'system', 'schema']), answer: z.void() },
  die: { question: z.void(), answer: z.void() },
  hang: { question: z.void(), answer: z.void() },
  /** Sends it in place of an answer. */
  send: { question: z.unknown(), answer: z.void() },
  /** Answers text, which is not a number. */
  lie: { question: z.void(), answer: z.int() },
};

if (import.meta.main) {
  answerQuestions(questions, {
    async echo({ text, afterMs }) {
      await pause(afterMs);
      return text;
    },
    count: () => Uint32Array.of(1, 2, 3),
    refuse(reason) {
      throw new Reason(reason);
    },
    fail(where) {
      if (where === 'SQLite') new DatabaseSync(':memory:').exec('selec 1');
      else if (where === 'koffi') createRequire(import.meta.url)('koffi').load('/nowhere.so');
      else if (where === 'system') readFileSync('/nowhere');
      else z.object({ users: z.int() }).parse({ users: 'two' });
    },
    die: () => process.exit(3),
    hang() {
      for (;;) Date.now();
    },
    send(message) {
      process.send?.(message);
      return new Promise<void>(() => {});
    },
    lie: () => 'text' as unknown as number,
  });
}
