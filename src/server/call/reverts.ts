/**
 * Taking back a change that the operation log holds. A module says once how, for an object type:
 *
 * ```ts
 * defineRevert('banner', {
 *   permit: row => 'system.banner.edit', // asked of the person besides `system.logs.revert`
 *   fields: ['title', 'image', 'start_at', 'end_at'], // no change of anything else is taken back
 *   // The object's row as it stands, `version` included; undefined outside the person's scope.
 *   current: async (db, staff, id) => …,
 *   // One guarded update to `before` where now.version, by the rules an edit obeys, logged once.
 *   apply: async (context, { row, before, now }) => …,
 * })
 * ```
 *
 * Where the page's own calls make such changes, they take them back too: `defineRevertBy('banner',
 * current, [way(calls.edit, handlers.edit, ['title'], old => ({ … }))])`. What has gone out
 * (messages, consents, texts that were published) is never among them.
 *
 * `revert` refuses when the row is none that can be taken back, when it was taken back already, or
 * when one of its fields is not any more what the row made it: 409 with what is newer. What `apply`
 * logs points to the row it took back.
 */
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { to } from '#commands/command.ts'
import { logs } from '#commands/pages/system.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { tellPeople } from '#src/areas/message/message.server.ts'
import type { Write } from '#src/contract/call.ts'
import type { Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, Staff, WriteContext } from './implement.ts'
import { KEPT_LENGTH } from './oplog.ts'
import { conflict, forbidden, missing, ruled } from './refuse.ts'

export type LogRow = typeof op_log.$inferSelect
export type RevertOf = {
  /** Undefined: no one call makes such a change, so none takes it back. */
  permit: (row: LogRow) => string | undefined
  fields: readonly string[]
  /** Fields that are lists of which the log holds what went and what came, and not the whole. */
  lists?: readonly string[]
  current: (db: Db, staff: Staff, id: number) => Promise<Current | undefined>
  apply: (context: WriteContext, change: TakenBack) => Promise<void>
}
type Current = Record<string, unknown> & { version: number }
/** A change to take back: its row of the log, the fields as they were, and the object as it is. */
type TakenBack = { row: LogRow; before: Record<string, unknown>; now: Current; reason: string }
/**
 * An object with its old values: read from the log, so that the call's own shape must judge them.
 */
// oxlint-disable-next-line typescript/no-explicit-any
export type Old = Record<string, any>
/**
 * A call that changes some fields of an object, carried out once more with what stood there before.
 */
export type Way = {
  fields: readonly string[]
  lists?: readonly string[]
  permit: string
  go: (old: Old, context: WriteContext) => Promise<void>
}
const known = new Map<string, RevertOf>()
export const defineRevert = (object_type: string, of: RevertOf): void =>
  void known.set(object_type, of)

const beyond: Text = [
  '修改前的内容现在不能保存，请在其页面修改',
  'What stood there before can’t be saved now: change it on its page',
]
/**
 * `input` is given the object as it is, with the old values of the fields taken back and its `id`;
 * without it, the call is sent the row as it is held, and these fields.
 */
export const way = <S, P>(
  call: Write<S, P, unknown>,
  by: (input: P, context: WriteContext) => Promise<unknown>,
  fields: readonly string[],
  input: (old: Old) => S = old =>
    Object.fromEntries(['id', 'version', ...fields].map(key => [key, old[key]])) as S,
): Way => ({
  fields,
  permit: call.permit,
  go: async (old, context) => {
    // By the same shapes as an edit: what was kept may be cut, or no more allowed.
    const sound = call.input.safeParse(input(old))
    if (!sound.success) throw ruled('not_revertible', beyond)
    await by(sound.data as P, context)
    context.changed(...call.touches)
  },
})
/**
 * The input of a way whose call names fields otherwise, by their names in the log: what a row does
 * not have is left out.
 */
export const inputOf =
  <S>(names: Readonly<Record<string, string>>) =>
  (old: Old): S =>
    Object.fromEntries(
      Object.entries({ id: 'id', version: 'version', ...names }).map(([name, field]) => [
        name,
        old[field] ?? undefined,
      ]),
    ) as S

/**
 * Takes changes of an object back by the calls of its page: by their rights, their checks and their
 * races.
 */
export const defineRevertBy = (
  object_type: string,
  current: RevertOf['current'],
  ways: readonly Way[],
): void => {
  const wayOf = (row: LogRow) =>
    ways.find(one => row.fields.every(field => one.fields.includes(field)))
  defineRevert(object_type, {
    permit: row => wayOf(row)?.permit,
    fields: ways.flatMap(one => one.fields),
    lists: ways.flatMap(one => one.lists ?? []),
    current,
    apply: (context, { row, before, now }) =>
      wayOf(row)!.go({ ...now, ...before, id: row.object_id! }, context),
  })
}

/** True, or why this row of the log can't be taken back, whatever the object is now. */
export const revertible = (row: LogRow, can: (permit: string) => boolean): true | Text => {
  const of = known.get(row.object_type)
  if (row.object_type === 'batch')
    return ['批量操作请逐条撤回', 'Take the rows of a batch back one by one']
  if (row.result !== 'ok')
    return ['没有成功的操作，没有可撤回的内容', 'It was not done, so there is nothing to take back']
  if (!of || !row.object_id)
    return [
      '这类对象不支持撤回，请在其页面修改',
      'This kind of object can’t be taken back here: change it on its page',
    ]
  if (!row.before || row.fields.length === 0)
    return ['没有修改前的内容，不能撤回', 'What stood there before was not kept']
  const permit = of.permit(row)
  if (permit === undefined || row.fields.some(field => !of.fields.includes(field)))
    return ['包含不能撤回的字段', 'It changed a field that can’t be taken back']
  if (!can(permit)) return ['没有修改此对象的权限', 'You may not change this object']
  return true
}
const same = (a: unknown, b: unknown) => JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
/** A list without what came, and with what went, in an order of its own. */
const listBefore = (now: unknown, went: unknown, came: unknown): unknown[] => {
  const rest = listOf(now).filter(one => !listOf(came).includes(one))
  return [...new Set([...rest, ...listOf(went)])].sort()
}
/** True when what came is there and what went is not: nobody changed this of the list since. */
const listStands = (now: unknown, went: unknown, came: unknown): boolean =>
  listOf(came).every(one => listOf(now).includes(one)) &&
  !listOf(went).some(one => listOf(now).includes(one))

type Logged = { of: RevertOf; before: Old; after: Old }
const isList = (of: RevertOf, field: string): boolean => of.lists?.includes(field) ?? false
/** True when a field is still what the row of the log made it. */
const standsAsLogged = ({ of, before, after }: Logged, field: string, now: unknown): boolean =>
  isList(of, field) ? listStands(now, before[field], after[field]) : same(now, after[field])
/** What a field was before the row of the log. */
const valueBefore = ({ of, before, after }: Logged, field: string, now: unknown): unknown =>
  isList(of, field) ? listBefore(now, before[field], after[field]) : (before[field] ?? null)
const isAsWas = (of: RevertOf, field: string, [now, was]: [unknown, unknown]): boolean =>
  same(isList(of, field) ? listBefore(now, [], []) : now, was)

/** Tells whoever made a change that a colleague took it back. */
const tellWhose = (tx: Db, row: LogRow, by: number, why: string) =>
  tellPeople(tx, {
    to: [row.admin_id],
    by,
    kind: 'taken_back',
    about: `revert:${row.id}`,
    facts: { of: row.object_label, why },
    address: to(logs, { object_type: row.object_type, object_id: row.object_id! }),
  })

/** Takes the change of a row back, or says why not. */
export const revert = async (context: WriteContext, row: LogRow, reason: string): Promise<void> => {
  const { tx, staff } = context
  const may = revertible(row, staff.can)
  const permit = known.get(row.object_type)?.permit(row)
  if (may !== true)
    throw permit !== undefined && !staff.can(permit) ? forbidden() : ruled('not_revertible', may)
  const of = known.get(row.object_type)!
  const [already] = await tx
    .select()
    .from(op_log)
    .where(and(eq(op_log.reverts_id, row.id), eq(op_log.result, 'ok')))
  if (already)
    throw ruled('reverted_already', ['{who} 已于 {at} 撤回', 'Taken back by {who} at {at}'], {
      who: already.admin_name,
      at: timeFull(already.created_at),
    })
  const now = await of.current(tx, staff, row.object_id!)
  if (!now) throw missing()
  const [before, after] = [
    row.before as Record<string, unknown>,
    (row.after ?? {}) as Record<string, unknown>,
  ]
  const logged = { of, before, after }
  const moved = row.fields.filter(field => !standsAsLogged(logged, field, now[field]))
  if (moved.length > 0) {
    const [newer] = await tx
      .select()
      .from(op_log)
      .where(
        and(
          eq(op_log.object_type, row.object_type),
          eq(op_log.object_id, row.object_id!),
          eq(op_log.result, 'ok'),
          gt(op_log.id, row.id),
          sql`${op_log.fields} && ${sql.param(moved, op_log.fields)}`,
        ),
      )
      .orderBy(desc(op_log.id))
      .limit(1)
    throw newer
      ? conflict(
          [
            '{who} 已于 {at} 又修改了这些内容，不能直接撤回',
            '{who} changed this again at {at}: it can’t simply be taken back',
          ],
          { who: newer.admin_name, at: timeFull(newer.created_at) },
          { log_id: newer.id, admin_name: newer.admin_name, at: newer.created_at, fields: moved },
        )
      : conflict(
          [
            '对象之后又变了，不能直接撤回',
            'The object changed since: it can’t simply be taken back',
          ],
          {},
          { log_id: null, admin_name: null, at: null, fields: moved },
        )
  }
  // The log keeps the head of a long text only.
  if (row.fields.some(field => String(before[field] ?? '').length > KEPT_LENGTH))
    throw ruled('not_revertible', beyond)
  const old = Object.fromEntries(
    row.fields.map(field => [field, valueBefore(logged, field, now[field])]),
  )
  await of.apply(
    { ...context, log: entry => context.log({ ...entry, reverts_id: row.id, reason }) },
    { row, before: old, now, reason },
  )
  // An edit may read "nothing" as "leave it": what is not as it was is not taken back.
  const stands = await of.current(tx, staff, row.object_id!)
  if (!row.fields.every(field => isAsWas(of, field, [stands?.[field], old[field]])))
    throw ruled('not_revertible', beyond)
  await tellWhose(tx, row, staff.id, reason)
  context.changed('message')
}
