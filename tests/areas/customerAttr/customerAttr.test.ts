import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  attrChangeFault,
  attrFault,
  attrShown,
  attrTypes,
  attrValue,
  type AttrType,
} from '#src/areas/customerAttr/customerAttr.ts'

const options = [
  { key: 'kids', label: '有孩子' },
  { key: 'none', label: 'ＮＯ 孩子' },
]
const plain = (type: AttrType) => ({ type, options: type === 'choice' ? options : [] })
const keptOf = (type: AttrType, typed: string) => {
  const said = attrValue(plain(type), typed)
  return 'value' in said ? said.value : undefined
}

describe('a value of an attribute', () => {
  it('is read as it is typed', () => {
    expect(keptOf('number', ' １,２00.50 ')).toBe('1200.5')
    expect(keptOf('date', '2026年3月9日')).toBe('2026-03-09')
    expect(keptOf('date', '2026/12/31')).toBe('2026-12-31')
    expect(keptOf('choice', 'no 孩子')).toBe('none')
    expect(keptOf('choice', 'kids')).toBe('kids')
    expect(keptOf('text', '  ')).toBe('')
  })
  it('is refused in words where it is none', () => {
    for (const [type, typed] of [
      ['number', '12a'],
      ['number', '1e9'],
      ['date', '2026-02-30'],
      ['date', '1700-01-01'],
      ['choice', '没有'],
      ['text', '长'.repeat(201)],
    ] as const)
      expect(keptOf(type, typed), typed).toBeUndefined()
  })
  it('is kept as it is however often it is read again', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(attrTypes) as AttrType[])),
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.double().map(String), fc.date().map(String)),
        (type, typed) => {
          const kept = keptOf(type, typed)
          if (kept !== undefined) expect(keptOf(type, kept)).toBe(kept)
        },
      ),
    ))
  it('is shown by the name of its choice', () => {
    expect(attrShown(plain('choice'), 'kids')).toBe('有孩子')
    expect(attrShown(plain('choice'), 'gone')).toBe('gone')
    expect(attrShown(plain('number'), '5')).toBe('5')
  })
})

describe('a definition', () => {
  const good = { key: 'family', label: '家庭', type: 'choice' as const, options }
  it('has a key, a name, and choices where it is one of several', () => {
    expect(attrFault(good)).toBeUndefined()
    expect(attrFault({ ...good, key: '2x' })?.[0]).toMatch('编码')
    expect(attrFault({ ...good, label: '长'.repeat(21) })?.[0]).toMatch('20')
    expect(attrFault({ ...good, options: [] })?.[0]).toMatch('至少')
    expect(attrFault({ ...good, type: 'text' })?.[0]).toMatch('只有单选')
    const twice = [...options, { key: 'third', label: 'no　孩子' }]
    expect(attrFault({ ...good, options: twice })?.[0]).toMatch('重名')
  })
  it('keeps its type and what was chosen, once customers have values', () => {
    const used = { values: 3, choices: new Set(['kids']) }
    expect(attrChangeFault(plain('choice'), plain('text'), used)?.[0]).toMatch('不能修改类型')
    const without = { type: 'choice' as const, options: [options[1]!] }
    expect(attrChangeFault(good, without, used)?.[0]).toMatch('有孩子')
    const renamed = { ...good, options: [{ key: 'kids', label: '有娃' }] }
    expect(attrChangeFault(good, renamed, used)).toBeUndefined()
    expect(attrChangeFault(good, plain('text'), { ...used, values: 0 })).toBeUndefined()
  })
})
