import type { z } from 'zod';
import type { Arm } from '../../shared/transport.ts';
import { answerQuestions } from '../process/answer-questions.ts';
import type { Lane } from './lane.ts';
import type { LaneOptions } from './lane-options.ts';
import { runWindow } from './lockstep.ts';
import { questions } from './messages.ts';

/** Makes this a process of the load generator: it answers with the lanes that `newLane` makes, one for each arm. */
export function answerWithLanes(newLane: (options: LaneOptions) => Lane): void {
  const lanes = new Map<Arm, Lane>();

  answerQuestions(questions, {
    configure,
    prepare: ({ arm, atRate }) => laneOf(arm).prepare(atRate),
    run: ({ arm, slot }) => laneOf(arm).run(slot),
    clear: ({ arm }) => laneOf(arm).clear(),
    burst: ({ arm, slot }) => laneOf(arm).burst(slot),
    window: (options) =>
      runWindow(
        { baseline: laneOf('baseline'), comparison: laneOf('comparison'), twin: laneOf('twin') },
        options,
      ),
    collect: ({ arm }) => laneOf(arm).collect(),
  });

  function configure({ configuration, share }: z.output<typeof questions.configure.question>): void {
    const { listeners, ...options } = configuration;
    for (const lane of lanes.values()) lane.close();
    lanes.clear();
    for (const listener of listeners) lanes.set(listener.arm, newLane({ listener, share, ...options }));
  }

  function laneOf(arm: Arm): Lane {
    const lane = lanes.get(arm);
    if (lane === undefined) throw new Error(`the generator was not configured for the ${arm} arm`);
    return lane;
  }
}
