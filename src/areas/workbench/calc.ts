/**
 * A number as a fraction of whole numbers: yuan are added up exactly, whatever is divided on the
 * way.
 */
type Fraction = readonly [over: bigint, under: bigint]
const DIGITS_MAX = 15
const number = (text: string): Fraction | undefined => {
  const [whole = '', part = ''] = text.replaceAll(',', '').split('.')
  return whole.length + part.length > DIGITS_MAX
    ? undefined
    : [BigInt(whole + part), 10n ** BigInt(part.length)]
}
/** What may stand behind a number, as parts of a yuan or so many of them. */
const units: Readonly<Record<string, Fraction>> = {
  '%': [1n, 100n],
  分: [1n, 100n],
  角: [1n, 10n],
  百: [100n, 1n],
  千: [1000n, 1n],
  万: [10_000n, 1n],
  亿: [100_000_000n, 1n],
}
/** `3元5`, `1万2`: a number behind a unit is more than one way of counting. */
const runOn = /[%分角元百千万亿]\s*[\d.]/
/**
 * What a sum of yuan comes to, in cents: `12.5*3 + 0.8`, `(99-20)/3`, `15%` of something, `1.2万`,
 * `100分`, full-width signs too. `exact` is false where cents had to be rounded (half away from zero).
 * Undefined for what is no sum, divides by nothing, or is longer than a person types.
 */
export const calculate = (typed: string): { cents: number; exact: boolean } | undefined => {
  const text = typed
    .normalize('NFKC')
    .replace(/[×x]/gi, '*')
    .replace(/[÷]/g, '/')
    .replace(/[−—–]/g, '-')
    .replace(/[\s¥元]/g, '')
  const tokens = text.match(/\d[\d,]*(?:\.\d+)?|\.\d+|[-+*/()%分角百千万亿]/g) ?? []
  if (runOn.test(typed.normalize('NFKC'))) return undefined
  if (tokens.length === 0 || tokens.length > 60 || tokens.join('') !== text) return undefined
  let at = 0
  const atom = (): Fraction | undefined => {
    const token = tokens[at++]
    if (token === '-') {
      const of = atom()
      return of && [-of[0], of[1]]
    }
    if (token === '(') {
      const of = sum()
      return tokens[at++] === ')' ? of : undefined
    }
    let of = token !== undefined && /\d/.test(token) ? number(token) : undefined
    for (let unit = units[tokens[at] ?? '']; of && unit; unit = units[tokens[++at] ?? ''])
      of = [of[0] * unit[0], of[1] * unit[1]]
    return of
  }
  const product = (): Fraction | undefined => {
    let of = atom()
    while (of && (tokens[at] === '*' || tokens[at] === '/')) {
      const by = tokens[at++]
      const next = atom()
      if (!next || (by === '/' && next[0] === 0n)) return undefined
      of = by === '*' ? [of[0] * next[0], of[1] * next[1]] : [of[0] * next[1], of[1] * next[0]]
    }
    return of
  }
  const sum = (): Fraction | undefined => {
    let of = product()
    while (of && (tokens[at] === '+' || tokens[at] === '-')) {
      const sign = tokens[at++] === '+' ? 1n : -1n
      const next = product()
      of = next && [of[0] * next[1] + sign * next[0] * of[1], of[1] * next[1]]
    }
    return of
  }
  const of = sum()
  if (!of || at < tokens.length) return undefined
  const [over, under] = of[1] < 0n ? [-of[0] * 100n, -of[1]] : [of[0] * 100n, of[1]]
  const size = over < 0n ? -over : over
  const cents = Number(size / under + (2n * (size % under) >= under ? 1n : 0n))
  return Number.isSafeInteger(cents)
    ? { cents: over < 0n ? -cents : cents, exact: size % under === 0n }
    : undefined
}
