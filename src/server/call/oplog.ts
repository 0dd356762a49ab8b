import { op_log } from '#src/areas/log/log.table.ts'
import { objects } from '#src/areas/log/objects.ts'
import type { Call } from '#src/contract/call.ts'
import { keptAsSaid, type Text } from '#src/domain/text.ts'
import type { Db, LogEntry, Staff } from './implement.ts'

/** `audit/bulks/approve` → `audit.bulks.approve`. */
const actionOf = (call: Call): string =>
  call.path
    .replace(/^\/api\//, '')
    .replace(/\//g, '.')
    .slice(0, 64)
/** The page map's module: what the permission begins with, else the path. */
const moduleOf = (call: Call): string =>
  (call.permit.includes('.') ? call.permit : actionOf(call)).split('.')[0]!.slice(0, 32)

/** Acts of the system itself, which no call carries out, and the reveal of a guarded field. */
const actions = new Map<string, { title: Text; module: string }>([
  ['reveal', { title: ['查看明文', 'Reveal'], module: 'system' }],
  ['find', { title: ['按隐藏的号码查找', 'Search by a hidden number'], module: 'system' }],
  ['look', { title: ['查看个人日志', 'Look at a person’s log'], module: 'user' }],
  ['system.warning.logs.recover', { title: ['预警恢复', 'Alarm recovered'], module: 'system' }],
  ['system.warning.logs.reopen', { title: ['预警重新打开', 'Alarm reopened'], module: 'system' }],
  ['system.report.send', { title: ['发送报表', 'Send a report'], module: 'system' }],
  [
    'system.live.channel',
    { title: ['直播平台状态', 'The live platform’s word'], module: 'system' },
  ],
  ['config.page.publish', { title: ['定时发布页面', 'Publish as scheduled'], module: 'config' }],
  ['config.page.fail', { title: ['定时发布失败', 'A schedule failed'], module: 'config' }],
  ['mall.recommend.drop', { title: ['移出推荐位', 'Taken off a board'], module: 'mall' }],
])
/**
 * Learns what the action of a call is called; every call is told of once, when it is made ready to
 * run.
 */
export const nameAction = (call: Call): void =>
  void (
    call.kind === 'write' &&
    actions.set(actionOf(call), { title: call.title, module: moduleOf(call) })
  )
/** What an action of the log is called; undefined for one that no call has (any more). */
export const actionTitle = (action: string): Text | undefined => actions.get(action)?.title
/** Actions that calls have, with what they are called and the module they are logged under. */
export const knownActions = (): ReadonlyMap<string, { title: Text; module: string }> => actions

/** The most of a text that a row keeps. */
export const KEPT_LENGTH = 2000
const secret = /pass|secret|token|hash|captcha|authori/i
/** A value without what must never be kept, cut where it is long. */
const withoutSecrets = (value: unknown, depth = 0): unknown => {
  if (typeof value === 'string')
    return value.length > KEPT_LENGTH ? `${value.slice(0, KEPT_LENGTH)}…` : value
  if (typeof value !== 'object' || value === null) return value
  if (depth > 8) return '…'
  if (Array.isArray(value))
    return value.slice(0, 500).map(inner => withoutSecrets(inner, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secret.test(key) ? '***' : withoutSecrets(inner, depth + 1),
    ]),
  )
}

type Common = { call: Call; staff: Staff; ip: string; request_id: string }
const row = ({ call, staff, ip, request_id }: Common, entry: LogEntry, batch_id?: number) => ({
  admin_id: staff.id || null,
  admin_name: staff.name.slice(0, 32),
  module: moduleOf(call),
  action: entry.action ?? actionOf(call),
  ip,
  trace_id: request_id.slice(0, 40),
  batch_id: batch_id ?? null,
  object_type: entry.object_type.slice(0, 32),
  object_id: entry.object_id || null,
  object_label: keptAsSaid(entry.object_label, 60).slice(0, 64),
  before: withoutSecrets(entry.before ?? null),
  after: withoutSecrets(entry.after ?? null),
  reverts_id: entry.reverts_id ?? null,
  reason: entry.reason === undefined ? null : keptAsSaid(entry.reason),
  result: entry.result ?? ('ok' as const),
  error: entry.error?.slice(0, 255) ?? null,
})

/** The fields of an input that name rows, each with the kind of row as the log knows it. */
const namedBy = ({ scope, touches }: Call): Readonly<Record<string, string>> => {
  const by: Readonly<Record<string, string>> =
    typeof scope === 'object' && 'by' in scope
      ? scope.by
      : { id: touches[0] ?? '', ids: touches[0] ?? '' }
  return Object.fromEntries(Object.entries(by).filter(([, kind]) => Object.hasOwn(objects, kind)))
}
/** The object that an input names, for its history; the module where it names none that is known. */
const objectOf = (call: Call, input: unknown): Pick<LogEntry, 'object_type' | 'object_id'> => {
  const given = (input ?? {}) as Readonly<Record<string, unknown>>
  for (const [field, kind] of Object.entries(namedBy(call))) {
    const id = given[field]
    if (typeof id === 'number') return { object_type: kind, object_id: id }
  }
  return {
    object_type: moduleOf(call),
    object_id: typeof given['id'] === 'number' ? given['id'] : 0,
  }
}
/** What the rows of a batch are. */
const rowKind = (call: Call): string => Object.values(namedBy(call))[0] ?? moduleOf(call)

/** The line that stands for a call whose handler says nothing of its own. */
const plain = (call: Call, input: unknown): LogEntry => {
  const { reason } = (input ?? {}) as { reason?: unknown }
  return {
    ...objectOf(call, input),
    object_label: '',
    after: input as object,
    ...(typeof reason === 'string' && { reason }),
  }
}

/** A line as it is told; a refused row of a batch does not say what it is, its call does. */
const typed = (call: Call, entry: LogEntry): LogEntry =>
  entry.object_type === '' ? { ...entry, object_type: rowKind(call) } : entry

/**
 * Writes the lines of a call, in its transaction: one a changed row, under a line for the whole
 * batch where there are several.
 */
export const logCall = async (
  tx: Db,
  of: Common,
  input: unknown,
  entries: readonly LogEntry[],
): Promise<void> => {
  const [first] = entries
  if (entries.length <= 1) {
    await tx.insert(op_log).values(row(of, first ? typed(of.call, first) : plain(of.call, input)))
    return
  }
  const done = entries.filter(entry => (entry.result ?? 'ok') === 'ok').length
  const [batch] = await tx
    .insert(op_log)
    .values(
      row(of, {
        ...plain(of.call, input),
        object_type: 'batch',
        object_id: 0,
        object_label: `${done}/${entries.length}`,
      }),
    )
    .returning({ id: op_log.id })
  await tx.insert(op_log).values(entries.map(entry => row(of, typed(of.call, entry), batch!.id)))
}

/** Writes the line of a search by a number that the person may not see. */
export const logFind = async (
  tx: Db,
  of: Common,
  { label, after }: { label: string; after: { field: string; mark: string } },
): Promise<void> => {
  const entry = { object_type: 'field_key', object_id: 0, object_label: label, after }
  await tx.insert(op_log).values(row(of, { ...entry, action: 'find' }))
}

/** Writes the line of a read that shows one person’s own log, as `entry` says whose. */
export const logLook = async (
  db: Db,
  of: Common,
  entry: Pick<LogEntry, 'object_type' | 'object_id' | 'object_label'>,
): Promise<void> => {
  await db.insert(op_log).values(row(of, { ...entry, action: 'look' }))
}

/** Writes the line of a call that was refused or failed, after its transaction was rolled back. */
export const logRefusal = async (
  db: Db,
  of: Common,
  input: unknown,
  refusal: { result: 'refused' | 'failed'; error: string },
): Promise<void> => {
  await db.insert(op_log).values(row(of, { ...plain(of.call, input), ...refusal }))
}
