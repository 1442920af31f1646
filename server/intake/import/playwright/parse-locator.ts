import type { Locator } from '../../../../shared/scenario/locator.ts';
import { parsePlaywrightTest } from './parse-playwright-test.ts';

/** Reads a locator as Playwright prints it, such as `getByRole('button', { name: 'Search' })`; null when it is not understood. */
export function parseLocator(text: string): Locator | null {
  const { actions } = parsePlaywrightTest(
    `test('', async ({ page }) => {\n await page.${text}.hover();\n});`,
  );
  const [action] = actions;
  return action?.type === 'hover' ? action.locator : null;
}
