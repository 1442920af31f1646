import type { z } from 'zod';
import type { Call, Questions, Reply } from './questions.ts';

type Answers<Asked extends Questions> = {
  [Name in keyof Asked]: (
    question: z.output<Asked[Name]['question']>,
  ) => z.input<Asked[Name]['answer']> | Promise<z.input<Asked[Name]['answer']>>;
};

type Options = {
  /** Words for an error that refuses one question. */
  reasonOf?: (error: unknown) => string;
  /** Called before the process exits because its parent has stopped it or died. */
  beforeExit?: () => void | Promise<void>;
};

/** The child's end: answers its parent over IPC, refuses what throws, and exits when its parent is gone. */
export function answerQuestions<Asked extends Questions>(
  questions: Asked,
  answers: Answers<Asked>,
  { reasonOf = messageOf, beforeExit }: Options = {},
): void {
  process.on('message', (message) => {
    const { call, name, question } = message as Call<keyof Asked>;
    // A question that is not valid ends this process: that is a mistake in the product, not an answer.
    const schema = (questions[name] as Asked[keyof Asked]).question;
    answer(call, answers[name], schema.parse(question));
  });
  process.on('disconnect', async () => {
    await beforeExit?.();
    process.exit(0);
  });
  // Ctrl-C goes to every process of the terminal. The parent decides when its processes end.
  process.on('SIGINT', () => {});

  async function answer(call: number, of: (question: never) => unknown, question: unknown): Promise<void> {
    try {
      reply({ call, answer: await of(question as never) });
    } catch (error) {
      reply({ call, problem: reasonOf(error) });
    }
  }
}

function reply(message: Reply): void {
  // Where the parent is gone there is nobody to tell; the disconnect ends this process.
  process.send?.(message, undefined, {}, () => {});
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
