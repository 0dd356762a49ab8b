import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CODE_LEAST,
  codeAreaFault,
  isOutdated,
  materialFaults,
  otherPrices,
  printedIn,
} from '#src/areas/material/material.ts'

const prices = { price_cents: 8800, list_price_cents: 12_800, group_price_cents: null }
describe('prices that a text prints', () => {
  it.each([
    ['到手价 88 元，原价128.00元', [8800, 12_800]],
    ['只要￥9.9！ ¥1,280', [990, 128_000]],
    ['88元起，88 元', [8800]],
    ['满100元减20元，立省¥30，赠送 5 元券', []],
    ['编号 123456789元，3 人同行', []],
    ['没有价格', []],
  ])('%s', (text, cents) => {
    expect(printedIn(text)).toEqual(cents)
  })
  it('are found as they are written, whatever the sum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999 }), cents => {
        const yuan = (cents / 100).toFixed(2)
        expect(printedIn(`现价${yuan}元`)).toEqual([cents])
        expect(printedIn(`现价¥${yuan}，快来`)).toEqual([cents])
      }),
    )
  })
  it('are outdated where they are none of the live ones, unless confirmed for that price', () => {
    const row = { printed_cents: [9900, 12_800], confirmed_cents: null }
    expect(otherPrices(row.printed_cents, prices)).toEqual([9900])
    expect(isOutdated(row, prices)).toBe(true)
    expect(isOutdated(row, undefined)).toBe(false)
    expect(isOutdated({ ...row, printed_cents: [8800, 12_800] }, prices)).toBe(false)
    expect(isOutdated({ ...row, confirmed_cents: 8800 }, prices)).toBe(false)
    expect(isOutdated({ ...row, confirmed_cents: 8700 }, prices)).toBe(true)
  })
})
describe('material', () => {
  it('has a code area of the set size inside its picture', () => {
    const size = { width: 720, height: 1280 }
    expect(codeAreaFault({ x: 560, y: 1120, size: CODE_LEAST }, size)).toBeUndefined()
    expect(codeAreaFault({ x: 0, y: 0, size: CODE_LEAST - 1 }, size)?.[0]).toContain('160')
    expect(codeAreaFault({ x: 561, y: 0, size: 160 }, size)?.[0]).toContain('720×1280')
    expect(codeAreaFault({ x: 0, y: 1121, size: 160 }, size)).toBeDefined()
    expect(
      codeAreaFault({ x: 9000, y: 0, size: 160 }, { width: null, height: null }),
    ).toBeUndefined()
  })
  it('names the fault of each field', () => {
    const sound = {
      title: '夏日海报',
      kind: 'poster' as const,
      files: ['img/1.webp'],
      content: '',
      start_at: 100,
      end_at: null,
    }
    const faulty = (more: object) =>
      Object.entries(materialFaults({ ...sound, ...more }))
        .filter(([, fault]) => fault)
        .map(([field]) => field)
    expect(faulty({})).toEqual([])
    expect(faulty({ title: '全网最低价', content: '绝对划算' })).toEqual(['title', 'content'])
    expect(faulty({ end_at: 100 })).toEqual(['end_at'])
    expect(faulty({ files: [] })).toEqual(['files'])
    expect(faulty({ files: ['a', 'b'] })).toEqual(['files'])
    expect(faulty({ files: ['https://x.example/a.png'] })).toEqual(['files'])
    expect(faulty({ kind: 'video', files: ['img/1.webp'] })).toEqual(['files'])
    expect(faulty({ kind: 'video', files: ['https://x.example/a.mp4'] })).toEqual([])
    expect(faulty({ kind: 'copywriting', files: [] })).toEqual(['content'])
    expect(faulty({ kind: 'article', content: '好吃', files: [] })).toEqual(['files'])
  })
})
