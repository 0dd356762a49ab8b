import { describe, expect, it } from 'vitest'
import { faultOfCode, keptWords, notConnected } from '#src/areas/wecom/wecomFault.ts'
import { languages, lengthOf, say, saidIn, unjoined, type Text } from '#src/domain/text.ts'
import { wecomSaid } from '#src/kit/text.ts'

/** Errcodes from all over WeCom's list, known here or not, and one that names the caller's address. */
const codes = [-1, 40006, 41045, 41050, 45009, 48009, 60020, 84061, 90507, 99999]
const stored = codes.map(code =>
  keptWords(faultOfCode(code, `not allow ${'x'.repeat(300)}, from ip: 10.1.2.3`).text),
)

describe('the words of a fault, as its row keeps them', () => {
  it.each(stored)('are whole in both languages and fit into their column: %s', words => {
    expect(lengthOf(words)).toBeLessThanOrEqual(255)
    expect(saidIn(words, 'zh')).toMatch(/[一-鿿]/)
    expect(saidIn(words, 'en')).not.toMatch(/[一-鿿]/)
    expect(saidIn(words, 'en')).not.toBe('')
  })
  it('are cut by language, where they are long', () => {
    const words = keptWords(['字'.repeat(400), 'word '.repeat(90)])
    expect(lengthOf(words)).toBeLessThanOrEqual(255)
    expect(saidIn(words, 'zh')).toBe('字'.repeat(127))
    expect(saidIn(words, 'en')).toBe('word '.repeat(90).slice(0, 127))
  })
  it.each(languages)('are said with the errcode, where there is one: %s', lang => {
    const read = (text: Text, errcode: number) =>
      wecomSaid((words, values) => say(words, lang, values), {
        error: saidIn(keptWords(text), lang),
        errcode,
      })
    expect(read(faultOfCode(60111).text, 60111)).toBe(
      lang === 'zh'
        ? '成员不存在或已离职（60111）'
        : 'The member does not exist or has left (60111)',
    )
    expect(read(notConnected.text, 0)).toBe(saidIn(notConnected.text, lang))
  })
  it('of rows that are older stand for both languages, and none stays none', () => {
    expect(unjoined('客户群不存在')).toEqual(['客户群不存在', '客户群不存在'])
    expect(wecomSaid(text => say(text, 'en'), { error: '', errcode: 0 })).toBe('')
  })
})
