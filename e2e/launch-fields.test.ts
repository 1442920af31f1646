/** Protects the way from the fields of the launch form to the run that is stored. */
import { pairOf } from '../shared/base/transport.ts';
import { expect, test } from './fixtures.ts';
import { launch, launchButton, openOptions } from './launch.ts';
import { readDocument } from './observe-storefront-run.ts';

test('what is asked for on the form is what the run is made of, once every field is right', async ({
  dashboard,
  page,
}) => {
  await page.goto(dashboard.url);
  await openOptions(page);
  await page.getByText('Sides: HTTP → HTTPS').click();
  await page.getByLabel('Protocol, second side').selectOption('HTTPS with HTTP/2');
  await expect(page.getByText('Not TLS alone: the protocol differs too.')).toBeVisible();
  await page.getByLabel('Key agreement group, first side').fill('X25519');
  await page.getByLabel('Resumption, first side').selectOption('A mix of new and returning visitors');
  await page.getByLabel('Returning visitors, %, first side').fill('25');
  await page.getByText('Connections and load').click();
  await page.getByLabel('Connections live for').selectOption('A fixed number of requests');
  await page.getByLabel('Requests on a connection').fill('5');
  await page.getByLabel('Rate, transactions/s').fill('fast');
  await page.getByRole('textbox', { name: 'Starts' }).fill('2');
  await page.getByLabel('Users who alternate').fill('3');
  await page.getByLabel('Reading interval, ms').fill('100');
  await page.getByLabel('Tolerance, %').fill('0');

  await launchButton(page).click();
  await expect(page.getByText('A number above 0 and up to 1,000,000, or empty.').first()).toBeVisible();
  await expect(page.getByText('A number from 0.1 to 100.').first()).toBeVisible();
  await page.getByLabel('Rate, transactions/s').fill('40');
  await page.getByLabel('Tolerance, %').fill('2.5');

  const id = await launch(page);
  const { plan, tlsProfile, sides } = await readDocument(`${dashboard.url}/r/${id}`);
  expect(pairOf(sides)).toEqual(['http', 'h2']);
  expect(plan).toMatchObject({
    connectionPolicy: 'requests-per-connection',
    requestsPerConnection: 5,
    ratePerS: 40,
    launches: { minimum: 2, maximum: 2 },
    pairUsers: 3,
    windowMs: 100,
    tolerance: 0.025,
  });
  expect(tlsProfile).toMatchObject({ group: 'X25519', cipher: null, resumption: 'mix', resumedShare: 0.25 });
});
