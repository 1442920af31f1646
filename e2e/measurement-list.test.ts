/** Protects the one list of all kinds, and its filter by the keyboard and in the address. */
import { createdMeasurementSchema } from '../shared/measurement/measurement.ts';
import { expectAccessibleInBothSchemes } from './accessibility.ts';
import { expect, test } from './fixtures.ts';

test('measurements of every kind stand in one list, narrowed down by kind', async ({ dashboard, page }) => {
  const api = `${dashboard.url}/api/v1/measurements`;
  const headers = { origin: dashboard.url };
  const measure = async (data: object): Promise<string> => {
    const created = await page.request.post(api, { headers, data });
    const { id } = createdMeasurementSchema.parse(await created.json());
    await page.request.post(`${api}/${id}/cancel`, { headers, data: { keep: true } });
    return id;
  };
  const run = await measure({ kind: 'comparison' });
  const id = await measure({ kind: 'handshakes' });

  await page.goto(`${dashboard.url}/runs`);
  const lines = page.getByRole('region', { name: 'Results', exact: true }).getByRole('listitem');
  const kind = page.getByLabel('Kind');
  await expect(lines).toHaveCount(2);
  await expect(kind).toHaveValue('');
  await expect(kind.getByRole('option', { name: 'Runs (1)' })).toBeAttached();

  await kind.selectOption('handshakes');
  await expect(page).toHaveURL(/\/runs\?kind=handshakes$/);
  await expect(lines).toHaveCount(1);
  await expect(lines.getByRole('link')).toHaveAttribute('href', `/l/${id}`);
  await page.reload();
  await expect(kind).toHaveValue('handshakes');
  await expect(lines).toHaveCount(1);

  await kind.selectOption('comparison');
  await expect(lines.getByRole('link')).toHaveAttribute('href', `/r/${run}`);
  await expectAccessibleInBothSchemes(page);
  await page.getByLabel('Search').fill('nothing is called this');
  await expect(page.getByText('No run matches.')).toBeVisible();
  await expect(page).toHaveURL(/kind=comparison/);
});
