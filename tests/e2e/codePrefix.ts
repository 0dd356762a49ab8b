/** A prefix of codes of this very moment: letters stand for the digits, as 0 and 1 are no signs of codes. */
export const prefixNow = (): string =>
  String(Date.now())
    .slice(-8)
    .replace(/\d/g, digit => 'ABCDEFGHJK'[Number(digit)]!)
