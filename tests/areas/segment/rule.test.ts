import { describe, expect, it } from 'vitest'
import {
  conditionFault,
  leadsBack,
  levelOf,
  refsOf,
  ruleFault,
  type Rule,
  type RuleNode,
} from '#src/areas/segment/rule.ts'
import { opsOf, ruleFields, type FieldKey } from '#src/areas/segment/ruleFields.ts'
import { segmentCan } from '#src/areas/segment/segment.ts'
import { conditionSaid, ruleSaid } from '#src/areas/segment/sentence.ts'

const level = (key: number, parent: number | null = null): RuleNode => ({
  key,
  parent,
  is: 'level',
  not: false,
  op: 'any',
  picks: ['3'],
})
const group = (key: number, parent: number | null = null): RuleNode => ({
  key,
  parent,
  is: 'any',
  not: false,
})
const rule = (...nodes: RuleNode[]): Rule => ({ joins: 'all', nodes })

describe('a rule', () => {
  it('goes three levels deep and no deeper', () => {
    expect(ruleFault(rule(group(1), group(2, 1), level(3, 2)))).toBeUndefined()
    expect(ruleFault(rule(group(1), group(2, 1), group(3, 2), level(4, 3)))?.[0]).toContain('3 层')
    expect(levelOf(rule(group(1), group(2, 1), level(3, 2)), 3)).toBe(3)
  })
  it('has thirty conditions at most', () => {
    const some = (n: number) => rule(...Array.from({ length: n }, (_, at) => level(at + 1)))
    expect(ruleFault(some(30))).toBeUndefined()
    expect(ruleFault(some(31))?.[0]).toContain('30')
  })
  it('has no empty group, no circle, no node of nowhere, none twice, none below a condition', () => {
    expect(ruleFault(rule(group(1)))?.[0]).toContain('空')
    expect(ruleFault(rule({ ...group(1), parent: 2 }, { ...group(2), parent: 1 }))).toBeDefined()
    expect(ruleFault(rule(level(1, 9)))).toBeDefined()
    expect(ruleFault(rule(level(1), level(1)))).toBeDefined()
    expect(ruleFault(rule(level(1), level(2, 1)))).toBeDefined()
  })
  it('asks of a condition what its field needs', () => {
    const wrong: Partial<RuleNode>[] = [
      { picks: [] },
      { picks: ['9'] },
      { op: 'within' },
      { is: 'member_tag', op: 'all', ids: [] },
      { is: 'city', op: 'all', ids: [1] },
      { is: 'registered', op: 'never' },
      { is: 'last_order', op: 'within' },
      { is: 'last_order', op: 'within', days: 0 },
      { is: 'age', op: 'between' },
      { is: 'age', op: 'between', from: 40, to: 30 },
      { is: 'age', op: 'between', from: 121 },
      { is: 'orders', op: 'between', from: 1 },
      { is: 'spent', op: 'between', days: 30, from: 1, malls: [1, 1] },
      { is: 'orders', op: 'between', days: 30, from: 1, picks: ['nothing'] },
    ]
    for (const of of wrong) expect(conditionFault({ ...level(1), ...of })).toBeDefined()
    const right: Partial<RuleNode>[] = [
      { is: 'member_tag', op: 'all', ids: [1, 2] },
      { is: 'last_order', op: 'never' },
      { is: 'orders', op: 'between', days: 30, to: 0, malls: [3] },
      { is: 'paid', op: 'between', from: 100 },
    ]
    for (const of of right)
      expect(conditionFault({ ...level(1), picks: undefined, ...of })).toBeUndefined()
    for (const key of Object.keys(ruleFields))
      expect(opsOf(key as FieldKey).length).toBeGreaterThan(0)
  })
  it('tells the rows it names, each once', () => {
    const of = rule(
      { ...level(1), is: 'member_tag', ids: [4, 5] },
      { ...level(2), is: 'orders', op: 'between', days: 9, from: 1, malls: [7] },
      { ...level(3), is: 'member_tag', ids: [5] },
    )
    expect(refsOf(of).map(({ kind, id }) => `${kind}:${id}`)).toEqual([
      'member_tag:4',
      'member_tag:5',
      'mall:7',
    ])
  })
  it('leads back to itself by any way', () => {
    const links: Record<number, number[]> = { 2: [3], 3: [4], 4: [2], 5: [1] }
    const of = (id: number) => links[id] ?? []
    expect(leadsBack(1, [1], of)).toBe(true)
    expect(leadsBack(1, [5], of)).toBe(true)
    expect(leadsBack(1, [2], of)).toBe(false)
  })
})
describe('a sentence', () => {
  const names = { 'wecom_tag:1': '亲子', 'mall:3': '万象城', 'segment:8': '员工' }
  const of = rule(
    { ...level(1), is: 'wecom_tag', ids: [1] },
    { ...level(2), is: 'last_use', op: 'within', days: 30, not: true },
    { ...group(3), is: 'any' },
    {
      ...level(4, 3),
      picks: undefined,
      is: 'orders',
      op: 'between',
      days: 90,
      from: 2,
      malls: [3],
    },
    { ...level(5, 3), is: 'paid', op: 'between', from: 10_000, to: 99_900 },
  )
  it('says a rule as people would, in both languages', () => {
    expect(ruleSaid(of, { names, without: [8] }, 'zh')).toBe(
      '企微标签含 亲子 且 不满足「最近核销 30 天内」 且 （90 天内在「万象城」下单 不少于 2 笔 或 累计实付 ¥100.00–¥999.00），排除分群 员工',
    )
    expect(ruleSaid(of, { names, without: [8] }, 'en')).toBe(
      'WeCom tag is 亲子 and not “Last redemption within 30 days” and (at least 2 orders within 90 days at 万象城 or Total paid ¥100.00–¥999.00), but for 员工',
    )
    expect(ruleSaid(rule(), { names: {} }, 'zh')).toBe('全部会员')
  })
  it('says of what is gone that it is', () => {
    expect(conditionSaid({ ...level(1), is: 'member_tag', ids: [77] }, {}, 'zh')).toContain(
      '已删除 #77',
    )
  })
})
describe('what can be done with a segment', () => {
  const row = {
    kind: 'rule' as const,
    status: 'ready' as const,
    customer_count: 3,
    live_uses: 0,
    refreshed_at: 1,
  }
  it('depends on its state', () => {
    expect(segmentCan('use', row)).toBe(true)
    for (const status of ['stale', 'computing', 'archived'] as const)
      expect(segmentCan('use', { ...row, status })).not.toBe(true)
    expect(segmentCan('archive', { ...row, live_uses: 1 })).not.toBe(true)
    expect(segmentCan('refresh', { ...row, kind: 'static' })).not.toBe(true)
    expect(segmentCan('importStatic', row)).not.toBe(true)
    expect(segmentCan('edit', { ...row, status: 'stale' })).toBe(true)
    expect(segmentCan('use', { ...row, customer_count: 0 })).not.toBe(true)
  })
})
