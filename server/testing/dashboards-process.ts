import { answerQuestions } from '../base/process/asked-process.ts';
import { type RunningServer, startServer } from '../edge/start/start-server.ts';
import { chromiumInTest } from './chromium-in-test.ts';
import { questions } from './dashboard-messages.ts';
import { scriptedApparatus } from './scripted-apparatus.ts';
import { configInTest } from './server-in-test.ts';
import { shortenRuns, shortenSweeps } from './shorten-runs.ts';

/** A process of its own for tests: as many dashboards as are asked for, each on its own data, which saves starting one for each. */
const opened = new Map<string, Pick<RunningServer, 'close'>>();

answerQuestions(questions, {
  async open({ dataDirectory, pace, plan }) {
    const config = {
      ...configInTest(dataDirectory),
      ...(plan === null ? {} : { chromiumPath: chromiumInTest }),
      ...(pace === null ? {} : { apparatus: scriptedApparatus(pace) }),
    };
    const { url, close } = await startServer(config);
    const restores = plan === null ? [] : [shortenRuns(plan), shortenSweeps()];
    opened.set(url, {
      async close() {
        for (const restore of restores) restore();
        await close();
      },
    });
    return url;
  },
  async close(url) {
    await opened.get(url)?.close();
    opened.delete(url);
  },
});
