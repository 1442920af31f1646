/** What people have at hand that is no format of an import, by its signs at the beginning, and what to do with it. */
const others: readonly (readonly [what: string, signs: RegExp, advice: string])[] = [
  [
    'a fetch call',
    /^(?:await\s+)?fetch\(\s*["'`]/,
    'In the browser, choose Copy as cURL instead of Copy as fetch.',
  ],
  [
    'a command for PowerShell',
    /\bInvoke-(?:WebRequest|RestMethod)\b/i,
    'In the browser, choose Copy as cURL from the same menu.',
  ],
  [
    'a Postman collection',
    /"_postman_id"|schema\.getpostman\.com/,
    'In Postman, open the code snippet of a request and copy it as cURL.',
  ],
  [
    'an Insomnia export',
    /"_type"\s*:\s*"export"|type:\s*collection\.insomnia/,
    'In Insomnia, choose Generate Code and copy it as cURL.',
  ],
  [
    'an OpenAPI document',
    /"(?:openapi|swagger)"\s*:\s*"|^(?:openapi|swagger):/m,
    'Try out the requests in Swagger UI and copy their curl commands.',
  ],
  ['a k6 script', /from ["']k6(?:\/http)?["']/, 'Import the HAR or the curl commands that it was made from.'],
  ['a JMeter test plan', /<jmeterTestPlan/, 'Record the same visit in a browser and save it as HAR.'],
  ['a Locust file', /from locust import/, 'Record the same visit in a browser and save it as HAR.'],
  ['a Gatling simulation', /io\.gatling\./, 'Record the same visit in a browser and save it as HAR.'],
  ['a Cypress test', /\bcy\.(?:visit|get|request)\(/, 'Record the same visit with npx playwright codegen.'],
  [
    'a Puppeteer script',
    /require\(["']puppeteer|from ["']puppeteer/,
    'In the Recorder of DevTools, export the recording as JSON.',
  ],
  ['a Selenium test', /\bselenium\b|\bWebDriver\b/, 'Record the same visit with npx playwright codegen.'],
  ['a wget command', /^(?:\$ )?wget\s/m, 'Write it as a curl command.'],
  [
    'an HTTPie command',
    /^(?:\$ )?https?\s+(?:-|GET|POST|PUT|PATCH|DELETE|HEAD|[\w.-]*[.:/])/m,
    'Write it as a curl command.',
  ],
  [
    'a raw HTTP request',
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \S+(?: HTTP\/[\d.]+)?\s*$/m,
    'Write it as a curl command.',
  ],
  ['an HTML page', /^<(?:!doctype html|html)\b/i, 'In DevTools, save what the page loads as HAR.'],
  [
    'a compressed file',
    /^(?:PK\p{Cc}|\p{Cc}\ufffd|BZh\d|7z\ufffd|\ufffd7zXZ|\(\ufffd\/)/u,
    'Unpack it first.',
  ],
];

/** A sentence on what the text is instead, and the nearest thing that works; null when nothing tells. */
export function adviceOnProgram(head: string): string | null {
  const found = others.find(([, signs]) => signs.test(head));
  return found === undefined ? null : `This is ${found[0]}, which cannot be imported. ${found[2]}`;
}
