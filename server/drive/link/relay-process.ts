import { answerQuestions } from '../../base/process/asked-process.ts';
import { relayQuestions } from './link-messages.ts';
import { Relay } from './relay.ts';

/** The process of a relay, so that nothing else is in the way of its bytes. */

const relay = new Relay();

answerQuestions(relayQuestions, {
  open: ({ link, targets }) => relay.open(link, targets),
  close: () => relay.close(),
});
