import { setTimeout as pause } from 'node:timers/promises';

/** For tests: asks again until the answer is as it should be; the test's own time limit ends this. */
export async function untilAsync<Answer>(
  ask: () => Promise<Answer>,
  isIt: (answer: Answer) => boolean,
): Promise<Answer> {
  for (;;) {
    const answer = await ask();
    if (isIt(answer)) return answer;
    await pause(100);
  }
}
