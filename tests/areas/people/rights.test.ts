import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareVersions, mayHold, reaches, releaseCan, releaseOf } from '#src/areas/people/menu.ts'
import { importRows, staffCan, type StaffVerb } from '#src/areas/people/people.ts'
import { diffOf, modeFits, scopeFits, withViews, type FieldMode } from '#src/areas/people/rights.ts'
import {
  branchOf,
  childrenOf,
  depthOf,
  heightOf,
  mayStandUnder,
  orderWith,
  placeOf,
  type TreeRow,
} from '#src/domain/tree.ts'

const permit = fc
  .tuple(
    fc.constantFrom('audit.bulks', 'audit.card', 'mall.hot'),
    fc.constantFrom('view', 'edit', 'del', 'export'),
  )
  .map(parts => parts.join('.'))
const perms = fc.uniqueArray(permit)
const known = new Set(
  ['audit.bulks', 'audit.card', 'mall.hot'].flatMap(stem =>
    ['view', 'edit', 'del', 'export'].map(verb => `${stem}.${verb}`),
  ),
)

describe('rights', () => {
  test('saving keeps exactly the ticked leaves: only the views of their own pages are added, and saving again adds nothing', () => {
    fc.assert(
      fc.property(perms, ticked => {
        const saved = withViews(ticked, known)
        for (const one of ticked) expect(saved).toContain(one)
        for (const one of saved.filter(each => !ticked.includes(each))) {
          expect(one).toMatch(/\.view$/)
          expect(ticked.some(each => each.startsWith(one.slice(0, -4)))).toBe(true)
        }
        expect(withViews(saved, known)).toEqual(saved)
        expect(new Set(saved).size).toBe(saved.length)
      }),
    )
  })
  test('a difference applied to what was gives what is', () => {
    fc.assert(
      fc.property(perms, perms, (was, is) => {
        const { added, removed } = diffOf(was, is)
        expect([...was.filter(one => !removed.includes(one)), ...added].sort()).toEqual(
          [...is].sort(),
        )
      }),
    )
  })
  test('a field is never shown wider than the asker sees it', () => {
    const modes: FieldMode[] = ['hide', 'mask', 'show']
    for (const [mine, own] of modes.entries())
      for (const [asked, other] of modes.entries()) expect(modeFits(own, other)).toBe(asked <= mine)
  })
  const cityOf = (mall: number) => Math.ceil(mall / 10)
  test('a scope that fits shows no city or mall outside one’s own', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 5 })),
        fc.uniqueArray(fc.integer({ min: 1, max: 50 })),
        fc.constantFrom('city' as const, 'mall' as const),
        fc.uniqueArray(fc.integer({ min: 1, max: 50 })),
        (cities, malls, scope_type, scope_ids) => {
          const fits = scopeFits({ cities, malls, owners: [] }, { scope_type, scope_ids }, cityOf)
          expect(fits).toBe(
            scope_ids.every(id =>
              scope_type === 'city'
                ? cities.includes(id)
                : malls.includes(id) || cities.includes(cityOf(id)),
            ),
          )
        },
      ),
    )
    expect(
      scopeFits(
        { cities: [1], malls: [], owners: [] },
        { scope_type: 'all', scope_ids: [] },
        cityOf,
      ),
    ).toBe(false)
    expect(
      scopeFits(
        { cities: [1], malls: [], owners: [7] },
        { scope_type: 'dept', scope_ids: [] },
        cityOf,
      ),
    ).toBe(false)
    expect(
      scopeFits(
        { cities: [], malls: [], owners: [7] },
        { scope_type: 'self', scope_ids: [] },
        cityOf,
      ),
    ).toBe(true)
    expect(
      scopeFits(
        { cities: 'all', malls: 'all', owners: [] },
        { scope_type: 'all', scope_ids: [] },
        cityOf,
      ),
    ).toBe(true)
  })
})

/** A forest: each row stands under an earlier one or at the top. */
const forest = fc.array(fc.tuple(fc.nat(), fc.nat(9)), { minLength: 1, maxLength: 30 }).map(picks =>
  picks.map(([pick, sort], at): TreeRow => ({
    id: at + 1,
    parent_id: pick % (at + 1) === 0 ? null : pick % (at + 1),
    sort,
  })),
)
describe('a tree', () => {
  test('no move makes a ring: what may stand somewhere still reaches the top from there', () => {
    fc.assert(
      fc.property(forest, fc.nat(), fc.nat(), (rows, a, b) => {
        const id = (a % rows.length) + 1
        const parent = b % (rows.length + 1) || null
        const may = mayStandUnder(rows, id, parent)
        expect(may === true).toBe(parent === null || !branchOf(rows, id).has(parent))
        if (may !== true) return
        const moved = rows.map(row => (row.id === id ? { ...row, parent_id: parent } : row))
        for (const row of moved) expect(depthOf(moved, row.id)).toBeLessThanOrEqual(moved.length)
        expect(depthOf(moved, id) + heightOf(moved, id) - 1).toBe(
          Math.max(...[...branchOf(moved, id)].map(one => depthOf(moved, one))),
        )
      }),
    )
  })
  test('an order after a move holds every child once, the moved one at its place', () => {
    fc.assert(
      fc.property(forest, fc.nat(), fc.nat(40), (rows, a, at) => {
        const id = (a % rows.length) + 1
        const parent = rows.find(row => row.id === id)!.parent_id
        const order = orderWith(rows, id, parent, at)
        expect([...order].sort()).toEqual(
          childrenOf(rows, parent)
            .map(row => row.id)
            .sort(),
        )
        expect(order.indexOf(id)).toBe(Math.min(at, order.length - 1))
      }),
    )
  })
  test('up and down, in and out take each other back', () => {
    fc.assert(
      fc.property(forest, fc.nat(), (rows, a) => {
        const id = (a % rows.length) + 1
        const go = (of: readonly TreeRow[], move: 'up' | 'down' | 'in' | 'out') => {
          const place = placeOf(of, id, move)
          if (!place) return undefined
          const order = orderWith(of, id, place.parent_id, place.at)
          return of.map(row => {
            if (!order.includes(row.id)) return row
            const sort = order.indexOf(row.id)
            return row.id === id ? { ...row, parent_id: place.parent_id, sort } : { ...row, sort }
          })
        }
        for (const [there, back] of [
          ['up', 'down'],
          ['in', 'out'],
        ] as const) {
          const once = go(rows, there)
          const twice = once && go(once, back)
          if (once)
            expect(
              childrenOf(twice!, rows.find(row => row.id === id)!.parent_id).map(row => row.id),
            ).toEqual(
              childrenOf(rows, rows.find(row => row.id === id)!.parent_id).map(row => row.id),
            )
        }
      }),
    )
  })
})

describe('accounts', () => {
  const person = { id: 7, status: 'active' as const, locked: false, live_sessions: 1, above: false }
  test('nobody disables, demotes or kicks themselves', () => {
    for (const verb of [
      'disable',
      'leave',
      'setRoles',
      'setScope',
      'kick',
      'resetPassword',
    ] as StaffVerb[])
      expect(staffCan(verb, person, 7), verb).not.toBe(true)
    expect(staffCan('edit', person, 7)).toBe(true)
  })
  test('nothing is done to who has more rights, or has left', () => {
    for (const verb of [
      'edit',
      'setRoles',
      'setScope',
      'resetPassword',
      'kick',
      'disable',
      'leave',
    ] as StaffVerb[]) {
      expect(staffCan(verb, { ...person, above: true }, 1), verb).not.toBe(true)
      expect(staffCan(verb, { ...person, status: 'left' }, 1), verb).not.toBe(true)
      expect(staffCan(verb, person, 1), verb).toBe(true)
    }
  })
  test('pasted lines are read with commas or tabs, quotes, a heading and a mark of the byte order', () => {
    expect(
      importRows(
        '\uFEFF账号,姓名,手机号,邮箱,部门,角色\nzhang01,张三,13800000001,a@b.cn,财务部,"财务、只读"\n\nli02\t李四\t13800000002\tc@d.cn\t客户服务部\t客服',
      ),
    ).toEqual([
      {
        line: 2,
        account: 'zhang01',
        name: '张三',
        phone: '13800000001',
        email: 'a@b.cn',
        department: '财务部',
        roles: '财务、只读',
      },
      {
        line: 4,
        account: 'li02',
        name: '李四',
        phone: '13800000002',
        email: 'c@d.cn',
        department: '客户服务部',
        roles: '客服',
      },
    ])
    expect(importRows('x')[0]).toMatchObject({ account: 'x', phone: '', roles: '' })
    // A first line that only begins like a heading is a person.
    expect(importRows('accounting,王五\nli02,李四').map(row => row.account)).toEqual([
      'accounting',
      'li02',
    ])
  })
})

describe('menus', () => {
  test('only directory, page, action, in this order', () => {
    expect([mayHold('dir', null), mayHold('page', 'dir'), mayHold('action', 'page')]).toEqual([
      true,
      true,
      true,
    ])
    for (const [type, parent] of [
      ['page', 'page'],
      ['page', null],
      ['dir', 'dir'],
      ['action', 'dir'],
      ['action', null],
      ['dir', 'page'],
    ] as const)
      expect(mayHold(type, parent), `${type} under ${parent}`).not.toBe(true)
  })
  test('gray and full exclude each other, and gray is ended before anything else', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.nat(3)),
        fc.array(fc.nat(3)),
        fc.nat(3),
        (visible, gray_city_ids, gray_store_ids, id) => {
          const of = { visible, gray_city_ids, gray_store_ids }
          const release = releaseOf(of)
          expect([
            releaseCan('grayRelease', of) === true,
            releaseCan('stopGray', of) === true,
            releaseCan('toggleVisible', of) === true,
          ]).toEqual([release !== 'full', release === 'gray', release !== 'gray'])
          const seen = reaches(of, { id, city_id: 1 })
          expect(seen).toBe(
            release === 'full' ||
              (release === 'gray' && (gray_store_ids.includes(id) || gray_city_ids.includes(1))),
          )
        },
      ),
    )
  })
  test('versions are compared by number, not by letter', () => {
    expect([
      compareVersions('2.10.0', '2.9.9') > 0,
      compareVersions('1.0.0', '1.0.0'),
      compareVersions('1.9.0', '2.0.0') < 0,
    ]).toEqual([true, 0, true])
  })
})
