/**
 * Taking back a change that the operation log holds. A module says once how, for an object type:
 *
 *   defineRevert('banner', {
 *     permit: row => 'system.banner.edit',                       // asked of the person besides `system.logs.revert`
 *     fields: ['title', 'image', 'start_at', 'end_at'],          // a change of anything else can't be taken back
 *     current: async (db, staff, id) => …,                       // the object's row as it stands, `version` included; undefined outside the person's scope
 *     apply: async (context, row, before, version) => …,         // ONE guarded update to `before` where version, by the rules an edit obeys; `context.log` once
 *   })
 *
 * `revert` refuses when the row is none that can be taken back, when it was taken back already, or when one of its fields is not any more what the row
 * made it: 409 with what is newer. What `apply` logs points to the row it took back.
 */
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from './implement.ts'
import { conflict, forbidden, missing, ruled } from './refuse.ts'
import { op_log } from './tables/log.ts'

export type LogRow = typeof op_log.$inferSelect
export type RevertOf = {
  permit: (row: LogRow) => string
  fields: readonly string[]
  current: (db: Db, staff: Pick<Staff, 'scope'>, id: number) => Promise<Record<string, unknown> & { version: number } | undefined>
  apply: (context: WriteContext, row: LogRow, before: Record<string, unknown>, version: number, reason: string) => Promise<void>
}
const known = new Map<string, RevertOf>()
export const defineRevert = (object_type: string, of: RevertOf): void => void known.set(object_type, of)

/** True, or why this row of the log can't be taken back, whatever the object is now. */
export const revertible = (row: LogRow, can: (permit: string) => boolean): true | Text => {
  const of = known.get(row.object_type)
  if (row.object_type === 'batch') return ['批量操作请逐条撤回', 'Take the rows of a batch back one by one']
  if (row.result !== 'ok') return ['没有成功的操作，没有可撤回的内容', 'It was not done, so there is nothing to take back']
  if (!of || !row.object_id) return ['这类对象不支持撤回，请在其页面修改', 'This kind of object can’t be taken back here: change it on its page']
  if (!row.before || row.fields.length === 0) return ['没有修改前的内容，不能撤回', 'What stood there before was not kept']
  if (row.fields.some(field => !of.fields.includes(field))) return ['包含不能撤回的字段', 'It changed a field that can’t be taken back']
  if (!can(of.permit(row))) return ['没有修改此对象的权限', 'You may not change this object']
  return true
}
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** Takes the change of a row back, or says why not. */
export const revert = async (context: WriteContext, row: LogRow, reason: string): Promise<void> => {
  const { tx, staff } = context
  const may = revertible(row, staff.can)
  if (may !== true) throw known.has(row.object_type) && !staff.can(known.get(row.object_type)!.permit(row)) ? forbidden() : ruled('not_revertible', may)
  const of = known.get(row.object_type)!
  const [already] = await tx.select().from(op_log).where(and(eq(op_log.reverts_id, row.id), eq(op_log.result, 'ok')))
  if (already) throw ruled('reverted_already', ['{who} 已于 {at} 撤回', 'Taken back by {who} at {at}'], { who: already.admin_name, at: timeFull(already.created_at) })
  const now = await of.current(tx, staff, row.object_id!)
  if (!now) throw missing()
  const [before, after] = [row.before as Record<string, unknown>, (row.after ?? {}) as Record<string, unknown>]
  const moved = row.fields.filter(field => !same(now[field], after[field]))
  if (moved.length > 0) {
    const [newer] = await tx.select().from(op_log).where(and(eq(op_log.object_type, row.object_type), eq(op_log.object_id, row.object_id!), eq(op_log.result, 'ok'), gt(op_log.id, row.id), sql`${op_log.fields} && ${sql.param(moved, op_log.fields)}`)).orderBy(desc(op_log.id)).limit(1)
    throw newer
      ? conflict(['{who} 已于 {at} 又修改了这些内容，不能直接撤回', '{who} changed this again at {at}: it can’t simply be taken back'], { who: newer.admin_name, at: timeFull(newer.created_at) }, { log_id: newer.id, admin_name: newer.admin_name, at: newer.created_at, fields: moved })
      : conflict(['对象之后又变了，不能直接撤回', 'The object changed since: it can’t simply be taken back'], {}, { log_id: null, admin_name: null, at: null, fields: moved })
  }
  await of.apply({ ...context, log: entry => context.log({ ...entry, reverts_id: row.id, reason }) }, row, Object.fromEntries(row.fields.map(field => [field, before[field] ?? null])), now.version, reason)
}
