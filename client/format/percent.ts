/** A share in percent without trailing zeros: 0.05 is `5 %`, 0.0634 with two digits `6.3 %`. */
export function printPercent(share: number, digits = 3): string {
  return `${Number((share * 100).toPrecision(digits))} %`;
}
