import { pinyin } from 'pinyin-pro'

/** `linruoxi`: a name in letters. */
export const latinOf = (name: string): string => pinyin(name, { toneType: 'none', type: 'array' }).join('').toLowerCase().replaceAll('ü', 'v')
/** `linruoxi|lrx`: how a name is searched. */
export const pinyinOf = (name: string): string => `${latinOf(name)}|${pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' }).join('').toLowerCase().replaceAll('ü', 'v')}`
