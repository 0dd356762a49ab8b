import { pinyin } from 'pinyin-pro'

/** `linruoxi|lrx`: how a name is searched. */
export const pinyinOf = (name: string): string => `${pinyin(name, { toneType: 'none', type: 'array' }).join('')}|${pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' }).join('')}`.toLowerCase().replaceAll('ü', 'v')
