import { answerWithLanes } from './answer-with-lanes.ts';
import { Lane } from './lane.ts';

/** A process of the load generator. */
answerWithLanes((options) => new Lane(options));
