import { mostResults, reportEndpoints } from '../../../shared/api/question-endpoints.ts';
import { problem } from '../../../shared/base/problem.ts';
import { idInText } from '../../../shared/base/text.ts';
import { demandWritable, withDashboard, writeText } from './api-client.ts';
import { verb } from './verb.ts';

const options = verb('report')
  .description(
    `Writes up to ${mostResults} finished results to one HTML file with a title page, which opens without the dashboard.`,
  )
  .argument('<results...>', 'IDs of results, or links to them, in the order of the file')
  .requiredOption('--html <file>', 'File to write')
  .option('--title <text>', 'Title of the first page (default: Measured with TLS Toll)');

export async function report(args: string[]): Promise<number> {
  const { ids, htmlPath, title } = parseReport(args);
  demandWritable(htmlPath, '--html');
  const query = { ids: ids.join(','), title };
  writeText(
    htmlPath,
    await withDashboard((api) => api.readFile(reportEndpoints.saveReport, { query })),
    '--html',
  );
  return 0;
}

/** Throws invalid_arguments. */
export function parseReport(args: string[]): { ids: string[]; htmlPath: string; title: string } {
  const [results] = options.parse(args, { from: 'user' }).processedArgs;
  const { html: htmlPath, title = '' } = options.opts();
  const ids = results.map((text) => {
    const id = idInText(text);
    if (id === null)
      throw problem('invalid_arguments', `"${text}" is not the ID of a result, nor a link to one.`);
    return id;
  });
  return { ids, htmlPath, title };
}
