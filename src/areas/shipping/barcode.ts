/**
 * Widths of the bars and gaps of each sign of Code 128, in turn; 11 modules a sign. The last three
 * begin sets A, B and C.
 */
const signs =
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232'.match(
    /.{6}/g,
  )!
const STOP = '2331112'
const [START_B, START_C, TO_B] = [104, 105, 100]

/**
 * The values that stand for a text: digits in pairs where it begins with many, signs one by one
 * otherwise. Undefined for what Code 128 B does not have.
 */
const valuesOf = (text: string): number[] | undefined => {
  if (!/^[\x20-\x7e]{1,48}$/.test(text)) return undefined
  const pairs = /^(?:\d\d){2,}/.exec(text)?.[0] ?? ''
  const rest = Array.from(text.slice(pairs.length), sign => sign.charCodeAt(0) - 32)
  return pairs
    ? [START_C, ...pairs.match(/../g)!.map(Number), ...(rest.length > 0 ? [TO_B, ...rest] : [])]
    : [START_B, ...rest]
}
/**
 * A text as a Code 128 barcode: widths of bars and gaps in turn, beginning with a bar; undefined
 * for what can't be written so.
 */
export const barsOf = (text: string): number[] | undefined => {
  const values = valuesOf(text)
  if (!values) return undefined
  const check = values.reduce((sum, value, at) => sum + value * Math.max(1, at), 0) % 103
  return [...[...values, check].map(value => signs[value]!), STOP].flatMap(sign =>
    [...sign].map(Number),
  )
}
