import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { invalid } from '#src/server/call/refuse.ts'
import { customer_attr, customer_attr_value } from './customerAttr.table.ts'
import { attrField, attrShown, attrValue, type AttrDef } from './customerAttr.ts'

const defsOf = (db: Db) =>
  db.select().from(customer_attr).orderBy(asc(customer_attr.sort), asc(customer_attr.id))
/**
 * The attributes of a customer in their order, with what is noted (`value`: as it is kept; empty:
 * nothing). One that is switched off is told only where the customer has a value.
 */
export const attrsOf = async (db: Db, customer_id: number) => {
  const values = new Map(
    (
      await db
        .select({ attr_id: customer_attr_value.attr_id, value: customer_attr_value.value })
        .from(customer_attr_value)
        .where(eq(customer_attr_value.customer_id, customer_id))
    ).map(one => [one.attr_id, one.value]),
  )
  return (await defsOf(db)).flatMap(of => {
    const value = values.get(of.id) ?? ''
    if (of.status === 'disabled' && value === '') return []
    const { id, label, type, options, status } = of
    return [{ id, label, type, options, status, value, shown: value && attrShown(of, value) }]
  })
}
/** How many customers have a value of an attribute, and the choices that they chose. */
export const attrUse = async (db: Db, attr: Pick<AttrDef, 'id' | 'type'>) => {
  const of = eq(customer_attr_value.attr_id, attr.id)
  const values = await db.$count(customer_attr_value, of)
  const rows =
    attr.type === 'choice'
      ? await db
          .selectDistinct({ value: customer_attr_value.value })
          .from(customer_attr_value)
          .where(of)
      : []
  return { values, choices: new Set(rows.map(row => row.value)) }
}

const GONE: Text = ['属性已停用或不存在，请刷新', 'The attribute is switched off or gone: refresh']
/**
 * Writes values of a customer whom the caller holds; an empty one takes the value away, what is not
 * named stays. Answers what differs, by the labels of the attributes. Throws 422 at the field of
 * each value that is wrong.
 */
export const writeAttrs = async (
  { tx, now }: Pick<WriteContext, 'tx' | 'now'>,
  customer_id: number,
  typed: readonly { attr_id: number; value: string }[],
): Promise<{ before: Record<string, string>; after: Record<string, string> }> => {
  const was = new Map((await attrsOf(tx, customer_id)).map(one => [one.id, one]))
  const faults: Record<string, Text> = {}
  const put: { attr_id: number; value: string }[] = []
  const differs = { before: {} as Record<string, string>, after: {} as Record<string, string> }
  for (const { attr_id, value } of typed) {
    const of = was.get(attr_id)
    const kept = of?.status === 'enabled' ? attrValue(of, value) : { fault: GONE }
    if ('fault' in kept) faults[attrField(attr_id)] = kept.fault
    else if (of && kept.value !== of.value) {
      put.push({ attr_id, value: kept.value })
      differs.before[of.label] = of.shown
      differs.after[of.label] = kept.value && attrShown(of, kept.value)
    }
  }
  if (Object.keys(faults).length > 0) throw invalid(faults)
  const gone = put.filter(one => one.value === '').map(one => one.attr_id)
  await tx
    .delete(customer_attr_value)
    .where(
      and(
        eq(customer_attr_value.customer_id, customer_id),
        inArray(customer_attr_value.attr_id, [0, ...gone]),
      ),
    )
  const rows = put.filter(one => one.value !== '')
  if (rows.length > 0)
    await tx
      .insert(customer_attr_value)
      .values(rows.map(one => ({ ...one, customer_id, updated_at: now })))
      .onConflictDoUpdate({
        target: [customer_attr_value.customer_id, customer_attr_value.attr_id],
        set: { value: sql`excluded.value`, updated_at: now },
      })
  return differs
}
