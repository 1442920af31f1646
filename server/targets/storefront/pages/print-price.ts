/** 123405 as `1,234.05`. */
export function printPrice(cents: number): string {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${whole}.${String(cents % 100).padStart(2, '0')}`;
}
