import { pinyin } from 'pinyin-pro'

/**
 * Readings that the dictionary gets wrong where these words stand, or that people type all the
 * same.
 */
const words: Readonly<Record<string, string>> = {
  重启: 'chong qi',
  重庆: 'chong qing',
  银行: 'yin hang',
  长沙: 'chang sha',
  乐购: 'le gou',
  核销: 'he xiao',
  拼团: 'pin tuan',
}
const of = (text: string, multiple: boolean): string[] =>
  pinyin(text, { toneType: 'none', type: 'array', multiple, v: true, nonZh: 'removed' })

/**
 * The readings of a text's Han characters: the one that fits the words first, then every other (see
 * `Readings` in rank.ts).
 */
export const readingsOf = (text: string): string => {
  const han = [...text].filter(sign => /\p{Script=Han}/u.test(sign))
  const likely = of(han.join(''), false)
  for (const [word, said] of Object.entries(words)) {
    const at = han.join('').indexOf(word)
    if (at >= 0)
      said.split(' ').forEach((reading, i) => {
        likely[at + i] = reading
      })
  }
  return han
    .map((sign, i) => {
      const readings = [likely[i] ?? '', ...of(sign, true)].filter(Boolean)
      // ü is typed v by input methods, u by everyone else.
      return [
        ...new Set(
          readings.flatMap(reading =>
            reading.includes('v') ? [reading, reading.replace('v', 'u')] : [reading],
          ),
        ),
      ].join('/')
    })
    .join(' ')
}
