import { answerQuestions } from '../base/process/answer-questions.ts';
import { type RunningServer, startServer } from '../edge/start-server.ts';
import { questions } from './dashboard-messages.ts';
import { scriptedApparatus } from './scripted-apparatus.ts';
import { configInTest } from './server-in-test.ts';

/** A process of its own for tests: as many dashboards as are asked for, each on its own data, which saves starting one for each. */
const opened = new Map<string, RunningServer>();

answerQuestions(questions, {
  async open({ dataDirectory, pace }) {
    const config = { ...configInTest(dataDirectory), chromiumPath: '/nowhere' };
    const server = await startServer(
      pace === null ? config : { ...config, apparatus: scriptedApparatus(pace) },
    );
    opened.set(server.url, server);
    return server.url;
  },
  async close(url) {
    await opened.get(url)?.close();
    opened.delete(url);
  },
});
