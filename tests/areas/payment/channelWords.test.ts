import { describe, expect, it } from 'vitest'
import { refusalWords } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { transferFaults } from '#src/areas/payout/transferFault.ts'
import { sharingFaults } from '#src/areas/split/sharingFault.ts'
import { lengthOf, saidIn, type Text } from '#src/domain/text.ts'

type Known = [string, string, { table: Readonly<Record<string, Text>>; text: Text }]
const tables = { payFaults, transferFaults, sharingFaults }
const known = Object.entries(tables).flatMap(([name, table]) =>
  Object.entries(table).map(([code, text]): Known => [name, code, { table, text }]),
)

describe('the words of a refusal, as a row keeps them', () => {
  it.each(known)('%s %s are whole in both languages', (_, code, { table, text }) => {
    const words = refusalWords(table, code, '渠道自己的说明')
    expect(lengthOf(words)).toBeLessThanOrEqual(255)
    expect([saidIn(words, 'zh'), saidIn(words, 'en')]).toEqual([...text])
    expect(saidIn(words, 'zh')).toMatch(/[一-鿿]/)
    expect(saidIn(words, 'en')).not.toMatch(/[一-鿿]/)
  })
  it('quote the channel’s own sentence as it came, where the code is not known', () => {
    const words = refusalWords(payFaults, 'NEW_CODE', '余额异常，请联系客服')
    expect(saidIn(words, 'zh')).toBe('渠道答复“余额异常，请联系客服”（NEW_CODE）')
    expect(saidIn(words, 'en')).toBe('The channel says “余额异常，请联系客服” (NEW_CODE)')
    const bare = refusalWords(payFaults, 'NEW_CODE')
    expect(saidIn(bare, 'zh')).toBe('渠道拒绝，未说明原因（NEW_CODE）')
    expect(saidIn(bare, 'en')).toBe('The channel refused and gave no reason (NEW_CODE)')
  })
  it('are the channel’s too where a code is the name of what every object has', () => {
    expect(saidIn(refusalWords(payFaults, 'constructor'), 'en')).toContain('(constructor)')
  })
  it('fit into their column with the quotation closed, however much the channel says', () => {
    const words = refusalWords(payFaults, 'X'.repeat(300), '说'.repeat(300))
    expect(lengthOf(words)).toBeLessThanOrEqual(255)
    expect(saidIn(words, 'zh')).toMatch(/^渠道答复“说{60}”（X{40}）$/)
    expect(saidIn(words, 'en')).toMatch(/^The channel says “说{60}” \(X{40}\)$/)
  })
})
