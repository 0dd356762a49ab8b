import { and, asc, eq, sql } from 'drizzle-orm'
import { attrUse } from '#src/areas/customerAttr/attrs.server.ts'
import { customer_attr } from '#src/areas/customerAttr/customerAttr.table.ts'
import {
  attrChangeFault,
  attrFault,
  ATTRS_MOST,
  foldedLabel,
  type AttrOption,
  type AttrType,
} from '#src/areas/customerAttr/customerAttr.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { arrange, record, unlessTaken } from '#src/server/call/record.ts'
import { invalid, ruled } from '#src/server/call/refuse.ts'
import { lockSequence } from '#src/server/db/sequence.ts'

const t = customer_attr
type Attr = typeof t.$inferSelect
/** Attributes as handlers read, change and log them. */
const attrs = record(customer_attr, {
  object: 'customer_attr',
  label: row => row.label,
  keys: ['label', 'type', 'options', 'status'],
  places: 'all',
})
const inUse = (db: Db) =>
  db.select().from(t).where(eq(t.status, 'enabled')).orderBy(asc(t.sort), asc(t.id))
/** The attributes in use in their order, how many customers have each, and the order's version. */
export const attrsInOrder = async (db: Db) => {
  const rows = await inUse(db)
  const { rows: counted } = await db.execute<{ id: number; n: number }>(
    sql`select attr_id id, count(*)::int n from customer_attr_value group by 1`,
  )
  const used = new Map(counted.map(row => [row.id, row.n]))
  return {
    list: rows.map(row => ({ ...row, used_n: used.get(row.id) ?? 0 })),
    list_version: sequenceVersion(rows.map(row => row.id)),
  }
}
/** Choices by their labels: one that stands keeps its key. */
const optionsOf = (labels: readonly string[], was: readonly AttrOption[]): AttrOption[] => {
  const known = new Map(was.map(one => [foldedLabel(one.label), one.key]))
  const taken = new Set(was.map(one => one.key))
  let at = 0
  const free = (): string => {
    do at++
    while (taken.has(`o${at}`))
    taken.add(`o${at}`)
    return `o${at}`
  }
  return labels.map(label => ({ key: known.get(foldedLabel(label)) ?? free(), label }))
}
const freeKey = async (tx: Db): Promise<string> => {
  const { rows } = await tx.execute<{ n: number }>(
    sql`select coalesce(max(id), 0)::int + 1 n from customer_attr`,
  )
  return `field_${rows[0]!.n}`
}
type Wanted = { label: string; type: AttrType; options: readonly string[] }
const taken = () => invalid({ label: ['已有同名画像字段', 'There is a field of this name'] })
/**
 * Makes an attribute, or changes the one of that id: what customers have values of keeps its type
 * and the choices that they chose.
 */
export const saveAttr = async (
  context: WriteContext,
  { id, ...of }: Wanted & { id?: number | undefined },
): Promise<Attr> => {
  const { tx } = context
  await lockSequence(tx, 'customer_attr')
  const was = id === undefined ? undefined : await attrs.lock(context, id)
  if (was?.status === 'disabled')
    throw ruled('attr_off', ['画像字段已停用', 'The field is switched off'])
  const options = optionsOf(of.options, was?.options ?? [])
  const key = was?.key ?? (await freeKey(tx))
  const values = { label: of.label, type: of.type, options }
  const fault = attrFault({ key, ...values })
  if (fault) throw invalid({ [of.type === 'choice' ? 'options' : 'label']: fault })
  if (was) {
    const changed = attrChangeFault(was, values, await attrUse(tx, was))
    if (changed) throw ruled('attr_used', changed)
    return unlessTaken(attrs.save(context, was, values), taken)
  }
  const others = await inUse(tx)
  if (others.length >= ATTRS_MOST)
    throw ruled('attrs_most', [
      '启用中的画像字段最多 40 个，请先停用一些',
      'At most 40 fields are in use: switch some off first',
    ])
  const sort = Math.max(0, ...others.map(one => one.sort + 1))
  return unlessTaken(attrs.add(context, { key, ...values, sort }), taken)
}
/** Switches an attribute off: what is noted stays, and is asked for no more. */
export const disableAttr = async (
  context: WriteContext,
  id: number,
  reason: string,
): Promise<Attr> => {
  const was = await attrs.lock(context, id)
  if (was.status === 'disabled')
    throw ruled('attr_off', ['画像字段已停用', 'The field is switched off'])
  return attrs.save(context, was, { status: 'disabled' }, reason)
}
/** Arranges the attributes in use: all of them, from the order that was read. */
export const sortAttrs = async (
  context: WriteContext,
  sent: { order: number[]; list_version: number },
): Promise<{ list_version: number }> => {
  const { tx } = context
  await lockSequence(tx, 'customer_attr')
  const before = await inUse(tx)
  const done = await arrange(
    tx,
    sent,
    before.map(row => row.id),
    { sets: t.sort, by: t.id, where: and(eq(t.status, 'enabled'))! },
  )
  context.log({
    object_type: 'customer_attr',
    object_id: 0,
    object_label: '',
    before: { order: before.map(row => row.label) },
    after: { order: sent.order.map(id => before.find(row => row.id === id)?.label ?? '') },
  })
  return { list_version: done.list_version }
}
