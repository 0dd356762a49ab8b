import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { ruleWhere } from '#src/areas/segment/compile.server.ts'
import { ruleFault, type Rule, type RuleNode } from '#src/areas/segment/rule.ts'
import {
  fieldOf,
  opsOf,
  ruleFields,
  type FieldKey,
  type RefKind,
} from '#src/areas/segment/ruleFields.ts'
import { sizeOf } from '#src/areas/segment/sizing.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { factsOf, holdsOf, plainFields, type Facts } from '../../help/segmentFacts.ts'

let database: Database
let facts: Facts[]
let ids: Record<RefKind, number[]>
const now = unixNow()
const some = async (from: string): Promise<number[]> =>
  (
    await database.db.execute<{ id: number }>(
      sql.raw(`select id from ${from} order by id limit 12`),
    )
  ).rows.map(row => row.id)
beforeAll(async () => {
  database = await openCopy()
  facts = await factsOf(database)
  ids = {
    city: await some('city'),
    mall: await some('mall'),
    member_tag: await some('member_tag'),
    wecom_tag: await some('wecom_tag'),
    staff: await some('wecom_staff'),
    chat: await some('wecom_group'),
    segment: await some('segment'),
  }
}, 120_000)

const subset = <T>(of: readonly T[], least = 1) =>
  fc.uniqueArray(fc.constantFrom(...of), { minLength: least, maxLength: Math.min(3, of.length) })
/** Bounds of which one at least is there, and that are not the wrong way round. */
const bounds = (most: number) =>
  fc
    .tuple(
      fc.integer({ min: 0, max: most }),
      fc.integer({ min: 0, max: most }),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([a, b, how]) => {
      const [from, to] = [Math.min(a, b), Math.max(a, b)]
      if (how === 0) return { from }
      return how === 1 ? { to } : { from, to }
    })
const days = fc.constantFrom(1, 7, 30, 90, 365, 3000)
const conditionOf = (is: FieldKey): fc.Arbitrary<Partial<RuleNode>> => {
  const of = fieldOf(is)
  const op = fc.constantFrom(...opsOf(is))
  if (of.kind === 'picks') return fc.record({ op, picks: subset(Object.keys(of.options)) })
  if (of.kind === 'refs') return fc.record({ op, ids: subset(ids[of.of]) })
  if (of.kind === 'ago') return fc.record({ op, days })
  if (of.kind === 'orders')
    return fc
      .tuple(
        bounds(of.counts === 'money' ? 80_000 : 4),
        days,
        subset(ids.mall, 0),
        subset(Object.keys(orderKinds), 0),
      )
      .map(([bound, day, malls, picks]) => ({ op: 'between', days: day, malls, picks, ...bound }))
  const most = { age: 70, growth: 3000, points: 3000, paid: 200_000, order_count: 20 }
  return bounds(most[is as keyof typeof most]).map(bound => ({ op: 'between', ...bound }))
}
/** The fields whose rows the demo has; an empty list of rows is none to choose from. */
const fieldsHere = () =>
  (Object.keys(ruleFields) as FieldKey[]).filter(key => {
    const of = fieldOf(key)
    return of.kind !== 'refs' || ids[of.of].length > 0
  })
const condition = () =>
  fc.constantFrom(...fieldsHere()).chain(is => conditionOf(is).map(more => ({ is, ...more })))
type Shape =
  | { not: boolean; of: Partial<RuleNode> }
  | { not: boolean; how: 'all' | 'any'; in: Shape[] }
const shapes = (level: number): fc.Arbitrary<Shape> => {
  const leaf = fc.record({ not: fc.boolean(), of: condition() })
  if (level >= 3) return leaf
  const group = fc.record({
    not: fc.boolean(),
    how: fc.constantFrom('all' as const, 'any' as const),
    in: fc.array(shapes(level + 1), { minLength: 1, maxLength: 3 }),
  })
  return fc.oneof({ weight: 3, arbitrary: leaf }, { weight: 2, arbitrary: group })
}
const ruleOf = (joins: 'all' | 'any', inside: Shape[]): Rule => {
  const nodes: RuleNode[] = []
  const walk = (parent: number | null) => (shape: Shape) => {
    const key = nodes.length + 1
    const { not } = shape
    if ('of' in shape) nodes.push({ key, parent, not, ...shape.of } as RuleNode)
    else {
      nodes.push({ key, parent, not, is: shape.how })
      shape.in.forEach(walk(key))
    }
  }
  inside.forEach(walk(null))
  return { joins, nodes }
}
const rules = () =>
  fc
    .tuple(fc.constantFrom('all' as const, 'any' as const), fc.array(shapes(1), { maxLength: 3 }))
    .map(([joins, inside]) => ruleOf(joins, inside))
const found = async (rule: Rule, probe: boolean): Promise<number[]> =>
  (
    await database.db
      .select({ id: member.id })
      .from(member)
      .where(ruleWhere(rule, [], { now, probe }))
      .orderBy(member.id)
  ).map(row => row.id)

describe('a rule in SQL', () => {
  it('is known to the plain reader, field by field', () => {
    expect(plainFields.toSorted()).toEqual(Object.keys(ruleFields).toSorted())
    expect(facts.length).toBeGreaterThan(100)
  })
  it('finds by each condition alone whom a plain reading finds, and by its opposite the others', async () => {
    for (const is of fieldsHere())
      for (const more of fc.sample(conditionOf(is), 4)) {
        const node = { key: 1, parent: null, not: false, is, ...more } as RuleNode
        const rule: Rule = { joins: 'all', nodes: [node] }
        expect(ruleFault(rule)).toBeUndefined()
        const plain = facts.filter(of => holdsOf(of, rule, now)).map(of => of.id)
        expect([is, await found(rule, true)]).toEqual([is, plain])
        const other: Rule = { joins: 'all', nodes: [{ ...node, not: true }] }
        expect(await found(other, false)).toHaveLength(facts.length - plain.length)
      }
  })
  it('finds whom a plain reading finds, whatever the rule', async () => {
    await fc.assert(
      fc.asyncProperty(rules(), async rule => {
        if (ruleFault(rule)) return
        const plain = facts.filter(of => holdsOf(of, rule, now)).map(of => of.id)
        expect(await found(rule, true)).toEqual(plain)
        expect(await found(rule, false)).toEqual(plain)
      }),
      { numRuns: 40 },
    )
  }, 120_000)
  it('counts exactly where there are few members', async () => {
    const rule = ruleOf('all', [])
    const { size, ids: first } = await sizeOf(database.db, {
      rule,
      now,
      where: of => ruleWhere(rule, [], of),
    })
    expect(size).toEqual({ n: facts.length, how: 'exact', give: 0, sampled: 0 })
    expect(first).toHaveLength(20)
  })
})
