import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  foldedName,
  mergedTags,
  namesFault,
  tagCan,
  tagRuleFault,
} from '#src/areas/wecom/tagging.ts'

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 12 })

describe('tags of the corp', () => {
  it('that are merged stand once, whoever had one of them, and nothing else is lost', () =>
    fc.assert(
      fc.property(ids, ids, fc.integer({ min: 1, max: 60 }), (own, some, to) => {
        const from = some.filter(id => id !== to)
        const after = mergedTags(own, from, to)
        expect(new Set(after).size).toBe(after.length)
        expect(after.some(id => from.includes(id))).toBe(false)
        const had = own.some(id => from.includes(id))
        if (had) expect(after.filter(id => id === to)).toEqual([to])
        for (const id of own) if (!from.includes(id)) expect(after).toContain(id)
        for (const id of after) expect(own.includes(id) || id === to).toBe(true)
        expect(mergedTags(after, from, to)).toEqual(after)
      }),
    ))
  it('have names that fold full-width letters, capitals and spaces', () => {
    expect(foldedName('ＶＩＰ　会员')).toBe(foldedName('vip 会员'))
    expect(namesFault(['亲子', 'ＶＩＰ', 'vip'])?.[0]).toMatch('重复')
    expect(namesFault(['长'.repeat(31)])?.[0]).toMatch('30')
    expect(namesFault([' '])?.[0]).toMatch('填写')
    expect(namesFault(['亲子', '餐饮'])).toBeUndefined()
  })
  it('have rules that are whole', () => {
    expect(tagRuleFault({ kind: 'keyword', on: true })?.[0]).toMatch('关键词')
    expect(tagRuleFault({ kind: 'keyword', on: true, words: ['亲'] })?.[0]).toMatch('2 个字')
    expect(tagRuleFault({ kind: 'spend', on: true, min_cents: 100 })).toBeUndefined()
  })
  it('are left in their group, one at least', () => {
    const tag = { is: 'tag', state: 'active', siblings: 1, waiting: false, rule: null } as const
    expect(tagCan('del', tag)).not.toBe(true)
    expect(tagCan('move', tag)).not.toBe(true)
    expect(tagCan('del', { ...tag, siblings: 2 })).toBe(true)
    expect(tagCan('rename', { ...tag, waiting: true })).not.toBe(true)
    expect(tagCan('rename', { ...tag, state: 'invalid' })).not.toBe(true)
  })
})
