/** Protects what is said of an address as people paste it, and the guess of the other one. */
import { expect, test } from 'vitest';
import { addressProblem, guessOther } from './address-problem.ts';

test.each([
  ['http://127.0.0.1:8080', 'http'],
  ['http://localhost', 'http'],
  ['https://[::1]:8443/', 'https'],
] as const)('%s is an address of the %s side', (text, scheme) => {
  expect(addressProblem(text, scheme)).toBeNull();
});

test.each([
  ['', 'http', 'Give the HTTP address, such as http://127.0.0.1:8080.'],
  ['localhost:8080', 'http', 'Begin the address with http://, as in http://127.0.0.1:8080.'],
  ['127.0.0.1:8443', 'https', 'Begin the address with https://, as in https://127.0.0.1:8443.'],
  [
    'https://127.0.0.1:8443',
    'http',
    'This address starts with https://. That of the HTTP side starts with http://.',
  ],
  [
    'gopher://127.0.0.1/',
    'http',
    'This address starts with gopher://. That of the HTTP side starts with http://.',
  ],
  ['http://me:secret@127.0.0.1', 'http', 'Leave the user name and password out of the address.'],
  ['http://127.0.0.1/shop?a=1', 'http', 'End the address after the port, and give /shop?a=1 as the path.'],
  ['http://127.0.0.1:0', 'http', 'Nothing can listen on port 0. Correct the port.'],
  ['http://127.0.0.1:99999', 'http', 'This is not an address. Write it as http://127.0.0.1:8080.'],
] as const)('“%s” is no address of the %s side: %s', (text, scheme, problem) => {
  expect(addressProblem(text, scheme)).toBe(problem);
});

test.each([
  ['http://127.0.0.1', 'http', 'https://127.0.0.1'],
  ['https://shop.test', 'https', 'http://shop.test'],
  ['http://localhost:8080', 'http', 'https://localhost:8443'],
  ['https://[::1]:8443', 'https', 'http://[::1]:8080'],
  ['http://127.0.0.1:3000', 'http', null],
  ['127.0.0.1', 'http', null],
] as const)('the other side of %s is guessed by its port', (address, scheme, other) => {
  expect(guessOther(address, scheme)).toBe(other);
});
