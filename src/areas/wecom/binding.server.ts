import { and, eq, ne } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import { joined, joinedNames } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { departmentRecord, type Department } from './departments.server.ts'
import { placeStaff } from './places.server.ts'
import { wecom_department, wecom_department_mall } from './wecom.table.ts'
import { departmentCan, type DepartmentVerb } from './wecom.ts'
import { wecom_change } from './wecomWork.table.ts'

type One = { id: number; version: number }
const boundTo = (tx: Db, id: number) =>
  tx.select().from(wecom_department_mall).where(eq(wecom_department_mall.department_id, id))
/** The department as the person holds it, where nothing speaks against the verb. */
export const heldDepartment = async (
  context: WriteContext,
  verb: DepartmentVerb,
  one: One,
): Promise<Department> => {
  const was = await departmentRecord.heldFast(context, one)
  const may = departmentCan(verb, { ...was, malls: await boundTo(context.tx, was.id) })
  if (may !== true) throw ruled(`department_${verb}`, may)
  return was
}
const nameOf = async (tx: Db, mid: number): Promise<string> =>
  (await tx.select({ name: mall.name }).from(mall).where(eq(mall.id, mid)))[0]?.name ?? ''
const told = (
  { tx, now }: WriteContext,
  of: Department,
  change: { kind: 'bound' | 'unbound'; was: string; now: string },
) =>
  tx.insert(wecom_change).values({
    object: 'department',
    object_id: of.id,
    name: of.name,
    ...change,
    at: now,
  })

/**
 * Binds a mall to a department: who stands in it or below it serves the mall from then on. Of two
 * departments of one mall each says which one comes first.
 */
export const bindMall = async (
  context: WriteContext,
  one: One,
  { mid, priority }: { mid: number; priority?: number | undefined },
) => {
  const { tx, now } = context
  const was = await heldDepartment(context, 'bindMall', one)
  const name = await nameOf(tx, mid)
  const others = await tx
    .select({ name: wecom_department.name, priority: wecom_department_mall.priority })
    .from(wecom_department_mall)
    .innerJoin(wecom_department, eq(wecom_department.id, wecom_department_mall.department_id))
    .where(
      and(eq(wecom_department_mall.mall_id, mid), ne(wecom_department_mall.department_id, was.id)),
    )
  const taken = joinedNames(
    others.map(one => joined([`${one.name}（${one.priority}）`, `${one.name} (${one.priority})`])),
  )
  if (others.length > 0 && priority === undefined)
    throw ruled(
      'priority_needed',
      [
        '“{mall}”已由{taken}接待，请填写不同的优先级',
        '{mall} is served by {taken}: say which one comes first, by another priority',
      ],
      { mall: name, taken },
    )
  const same = others.find(one => one.priority === (priority ?? 1))
  const refusal = () =>
    ruled(
      'priority_taken',
      [
        '“{mall}”的优先级 {n} 已由“{who}”使用，请换一个',
        'Priority {n} of {mall} is taken by {who}: choose another one',
      ],
      { mall: name, n: priority ?? 1, who: same?.name ?? taken },
    )
  if (same) throw refusal()
  const [before] = (await boundTo(tx, was.id)).filter(row => row.mall_id === mid)
  const values = { priority: priority ?? 1 }
  await unlessTaken(
    tx
      .insert(wecom_department_mall)
      .values({ department_id: was.id, mall_id: mid, created_at: now, ...values })
      .onConflictDoUpdate({
        target: [wecom_department_mall.department_id, wecom_department_mall.mall_id],
        set: values,
      }),
    refusal,
  )
  await placeStaff(tx)
  const after = await departmentRecord.set(context, was, {})
  await told(context, was, { kind: 'bound', was: '', now: `${name} · ${values.priority}` })
  departmentRecord.log(context, after, {
    before: { mid: before?.mall_id ?? null, priority: before?.priority ?? null },
    after: { mid, ...values },
  })
  return after
}
/** Takes a mall from a department; its people serve what the department above it serves. */
export const unbindMall = async (
  context: WriteContext,
  one: One,
  { mid, reason }: { mid: number; reason: string },
) => {
  const { tx } = context
  const was = await heldDepartment(context, 'unbindMall', one)
  const [gone] = await tx
    .delete(wecom_department_mall)
    .where(
      and(eq(wecom_department_mall.department_id, was.id), eq(wecom_department_mall.mall_id, mid)),
    )
    .returning()
  if (!gone) throw ruled('not_bound', ['该部门没有关联这个商场', 'The mall is not bound to it'])
  await placeStaff(tx)
  const after = await departmentRecord.set(context, was, {})
  await told(context, was, { kind: 'unbound', was: await nameOf(tx, mid), now: '' })
  departmentRecord.log(context, after, {
    before: { mid, priority: gone.priority },
    after: { mid: null, priority: null },
    reason,
  })
  return after
}
