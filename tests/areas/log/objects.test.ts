import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  changesOf,
  entryOf,
  fieldWord,
  guardsFor,
  namesNeeded,
  objects,
  objectTitle,
  valueWords,
  type Names,
  type Reader,
} from '#src/areas/log/objects.ts'
import { keptWords } from '#src/domain/text.ts'

const names: Names = (of, id) =>
  (
    {
      admin: '沈若溪',
      city: '上海',
      store: `门店${id}`,
      field: '会员手机号',
      perm: '团购审核 · 驳回',
    } as Record<string, string>
  )[of]
const open: Reader = {
  masks: {
    'product.settle_price_cents': 'amount',
    'admin.phone': 'phone',
    'member.phone': 'phone',
  },
  mode: () => 'show',
}
const closed = (mode: 'mask' | 'hide'): Reader => ({ ...open, mode: () => mode })
const changes = (object_type: string, before: object | null, after: object | null, reader = open) =>
  changesOf({ object_type, before, after }, 'zh', names, reader)

describe('a change is told in the words of the trade', () => {
  test('what a channel said in the reader’s language, where its row keeps both', () => {
    const said = keptWords(['分账余额不足', 'Too little is left to share'])
    const told = (lang: 'zh' | 'en') =>
      valueWords('fail_reason', said, {
        object_type: 'dist_split_order',
        lang,
        names,
        reader: open,
      })
    expect([told('zh'), told('en')]).toEqual(['分账余额不足', 'Too little is left to share'])
  })
  test('a data scope by the names of its places, whatever its ids are of', () => {
    const city: Names = (of, id) => (of === 'city' && id === 1 ? '上海' : `${of} ${id}`)
    const told = (before: object, after: object, lang: 'zh' | 'en' = 'zh') =>
      changesOf({ object_type: 'role', before, after }, lang, city, open).changes.map(one => [
        one.title,
        one.before,
        one.after,
      ])
    const all = { scope_type: 'all', scope_ids: [] }
    const shanghai = { scope_type: 'city', scope_ids: [1] }
    expect(told(all, shanghai)).toEqual([['数据范围', '全国', '上海']])
    expect(told(all, shanghai, 'en')).toEqual([['Data scope', 'Everywhere', '上海']])
    expect(told(shanghai, { scope_type: 'mall', scope_ids: [1, 2] })).toEqual([
      ['数据范围', '上海', 'mall 1、mall 2'],
    ])
    expect(told({ scope_type: 'dept', scope_ids: [] }, all)).toEqual([
      ['数据范围', '本部门', '全国'],
    ])
    expect(namesNeeded('admin', { scope_type: 'mall', scope_ids: [1, 2] })).toEqual(
      new Map([['mall', new Set([1, 2])]]),
    )
    expect(
      changes('report_sub', { scope: { city_ids: [] } }, { scope: { city_ids: [9] } }).changes[0],
    ).toMatchObject({ before: '订阅人的全部城市', after: '上海' })
    expect(changes('admin', null, { scope: 'self' }).changes[0]!.after).toBe('仅本人')
  })
  test('a decision that was taken back by what it was, in both languages', () => {
    const told = (lang: 'zh' | 'en') => {
      const of = { object_type: 'audit_task', before: null, after: { undone: 'approved' } }
      const [one] = changesOf(of, lang, names, open).changes
      return [one!.title, one!.after]
    }
    expect([told('zh'), told('en')]).toEqual([
      ['撤销的决定', '已通过'],
      ['Decision taken back', 'Approved'],
    ])
  })
  test('money in yuan, times in Shanghai, states by their labels, ids by their names', () => {
    const { changes: told } = changes(
      'product',
      {
        price_cents: 129900,
        sale_end_at: 1_790_000_000,
        state: 'on_sale',
        commission_bp: 1250,
        category_id: 7,
      },
      {
        price_cents: 99900,
        sale_end_at: 1_790_086_400,
        state: 'off_sale',
        commission_bp: 1000,
        category_id: null,
      },
    )
    expect(told.map(one => [one.title, one.before, one.after])).toEqual([
      ['类目', '#7', null],
      ['售价', '¥1,299.00', '¥999.00'],
      ['佣金', '12.5%', '10%'],
      ['停售时间', '2026-09-21 22:13:20', '2026-09-22 22:13:20'],
      ['状态', '在售', '已下架'],
    ])
  })
  test('a list by what came and went, a nested object by its inner fields', () => {
    expect(
      changes(
        'product',
        { tags: ['火锅', '双人'], store_ids: [1, 2] },
        { tags: ['双人', '午市'], store_ids: [2, 3] },
      ).changes,
    ).toMatchObject([
      { title: '适用门店', added: ['门店3'], removed: ['门店1'] },
      { title: '标签', added: ['午市'], removed: ['火锅'] },
    ])
    expect(
      changes(
        'role',
        { field_rules: { 'member.phone': 'mask', x: 'show' } },
        { field_rules: { 'member.phone': 'show', x: 'show' } },
      ).changes,
    ).toMatchObject([
      {
        field: 'field_rules.member.phone',
        title: '字段权限 · 会员手机号',
        before: '脱敏',
        after: '显示',
      },
    ])
  })
  test('a right by the name of its page and action', () => {
    expect(
      changes('role', { perms: [] }, { perms: ['audit.bulks.reject'], members: 3 }).changes,
    ).toMatchObject([
      { title: '权限', added: ['团购审核 · 驳回'], removed: [] },
      { title: '影响人数', after: '3' },
    ])
  })
  test('what is the same on both sides is no change, and the version never is', () => {
    expect(
      changes(
        'product',
        { title: '甲', version: 1, price_cents: 5 },
        { title: '甲', version: 2, price_cents: 5 },
      ),
    ).toEqual({ changes: [], withheld: 0 })
  })
  test('who is named is asked for', () => {
    expect(namesNeeded('audit_task', { claimed_by: 3, x: [{ city_id: 4 }] })).toEqual(
      new Map([
        ['admin', new Set([3])],
        ['city', new Set([4])],
      ]),
    )
  })
})

describe('the reader’s field rules hold inside differences', () => {
  test('masked text is masked on both sides, a masked or hidden number is not told at all', () => {
    expect(
      changes('admin', { phone: '13812345678' }, { phone: '13987654321' }, closed('mask')).changes,
    ).toMatchObject([{ before: '138****5678', after: '139****4321' }])
    expect(
      changes('admin', { phone: '13812345678' }, { phone: '13987654321' }, closed('hide')),
    ).toEqual({ changes: [], withheld: 1 })
    expect(
      changes('product', { settle_price_cents: 1 }, { settle_price_cents: 2 }, closed('mask')),
    ).toEqual({ changes: [], withheld: 1 })
  })
  test('an object that nobody registered falls under the strictest rule of the name', () => {
    expect(guardsFor('something_new', 'phone', Object.keys(open.masks))).toEqual([
      'admin.phone',
      'member.phone',
    ])
    expect(guardsFor('audit_task', 'settle_price_cents', Object.keys(open.masks))).toEqual([
      'product.settle_price_cents',
    ])
    expect(guardsFor('department', 'phone', Object.keys(open.masks))).toEqual([])
  })
  test('no guarded value comes out in clear, however deep it stands', () => {
    const leaf = fc.oneof(
      fc.constant('13812345678'),
      fc.integer(),
      fc.boolean(),
      fc.string(),
      fc.constant(null),
    )
    const tree = fc.letrec(tie => ({
      node: fc.oneof(
        { depthSize: 'small' },
        leaf,
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(
          fc.constantFrom('phone', 'settle_price_cents', 'list', 'title', 'meta'),
          tie('node'),
          { maxKeys: 4 },
        ),
      ),
    })).node
    fc.assert(
      fc.property(
        fc.constantFrom('admin', 'unknown_thing'),
        fc.dictionary(fc.constantFrom('phone', 'meta', 'list'), tree, { maxKeys: 3 }),
        fc.dictionary(fc.constantFrom('phone', 'meta', 'list'), tree, { maxKeys: 3 }),
        (type, before, after) => {
          // The secret stands under guarded names only.
          const only = (value: unknown, key: string): unknown => {
            if (Array.isArray(value)) return value.map(one => only(one, key))
            if (typeof value === 'object' && value !== null)
              return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, only(v, k)]))
            return value === '13812345678' && key !== 'phone' ? '公开' : value
          }
          for (const mode of ['mask', 'hide'] as const)
            expect(
              JSON.stringify(
                changes(type, only(before, '') as object, only(after, '') as object, closed(mode)),
              ),
            ).not.toContain('13812345678')
        },
      ),
      { numRuns: 400 },
    )
  })
})

describe('the registry', () => {
  test('has both languages for everything, and a value of any kind has words', () => {
    for (const [type, { title, fields }] of Object.entries(objects)) {
      for (const text of [title, ...Object.values(fields).map(word => word.title)]) {
        expect(text[0]).not.toBe('')
        expect(text[1]).toMatch(/^[A-Z]/)
      }
      for (const field of Object.keys(fields))
        for (const value of [null, 0, 1_790_000_000, 'x', true, [], ['a'], { a: 1 }])
          expect(() =>
            valueWords(field, value, { object_type: type, lang: 'en', names, reader: open }),
          ).not.toThrow()
    }
  })
  test('the ending of an unknown field says its unit', () => {
    expect([
      fieldWord('x', 'foo_cents').kind,
      fieldWord('x', 'foo_at').kind,
      fieldWord('x', 'foo_bp').kind,
    ]).toEqual(['money', 'time', 'percent'])
  })
})
test('a word that every object has by nature is no entry', () => {
  for (const key of ['__proto__', 'constructor', 'toString'])
    expect([key, entryOf({ a: 1 }, key), objectTitle(key)]).toEqual([key, undefined, [key, key]])
})
