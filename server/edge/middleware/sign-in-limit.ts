import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { limiter } from './rate-limit.ts';

/**
 * Failed sign-ins in a quarter of an hour: few for one account from one address, so that nobody guesses; more for an address
 * and for an account as a whole, so that many of either do not help, and that nobody is locked out by a stranger at once.
 */
const limits: { most: number; by: (keyof typeof parts)[] }[] = [
  { most: 10, by: ['address', 'account'] },
  { most: 50, by: ['address'] },
  { most: 100, by: ['account'] },
];

type AccountOf = (request: Request, response: Response) => string;

const parts = {
  address: ({ ip = '' }: Request) => ipKeyGenerator(ip),
  account: (request: Request, response: Response, accountOf: AccountOf) => accountOf(request, response),
};

export function limitSignIns(accountOf: AccountOf = accountInBody): RequestHandler[] {
  return limits.map(({ most, by }) => {
    const detail = `There were ${most} failed sign-ins for this account or from this address in a quarter of an hour.`;
    return limiter('too_many_attempts', detail, {
      windowMs: 15 * 60_000,
      limit: most,
      // Counted before the password is judged, so that many at once are no way around.
      skipSuccessfulRequests: true,
      requestWasSuccessful: (_request, { statusCode }) => statusCode !== 401,
      keyGenerator: (request, response) =>
        JSON.stringify(by.map((part) => parts[part](request, response, accountOf))),
    });
  });
}

function accountInBody({ body }: Request): string {
  const email: unknown = body?.email;
  return typeof email === 'string' ? email.trim().toLowerCase().slice(0, 254) : '';
}
