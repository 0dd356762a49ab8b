import { randomBytes } from 'node:crypto'
import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import { mall } from '#src/areas/place/place.table.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { channel_code, channel_code_version } from './channelCode.table.ts'
import { codeCan, peopleOf, type CodeBody, type CodeVerb } from './channelCode.ts'

const t = channel_code
export type Code = typeof channel_code.$inferSelect
type One = { id: number; version: number }
/** Codes as handlers read, change and log them. */
export const codes = record(channel_code, {
  object: 'channel_code',
  label: row => row.name,
  keys: [
    'name',
    'group_name',
    'kind',
    'mall_id',
    'store_id',
    'cost_cents',
    'welcome_id',
    'start_at',
    'end_at',
    'status',
  ],
  places: {
    mall: t.mall_id,
    city: sql`(select m.city_id from mall m where m.id = ${t.mall_id})`,
  },
  told: ({ id, name, group_name, kind, mall_id, store_id, ...row }) => ({
    id,
    name,
    group_name,
    kind,
    mall_id,
    store_id,
    cost_cents: row.cost_cents,
    welcome_id: row.welcome_id,
    start_at: row.start_at,
    end_at: row.end_at,
    status: row.status,
    version: row.version,
  }),
})
/** What WeCom tells of contacts that came by a code; drawn anew for each, and never again. */
const newState = (): string => `c_${randomBytes(12).toString('base64url')}`
/** How a code stands, as its verbs look at it. */
export const standingOf = (code: Pick<Code, 'status' | 'way_state' | 'config_id'>) => ({
  status: code.status,
  publishing: code.way_state === 'waiting',
  has_way: code.config_id !== null,
})
/** The code as the person holds it, locked, where nothing speaks against the verb. */
export const codeFor = async (context: WriteContext, verb: CodeVerb, one: One): Promise<Code> => {
  const code = await codes.heldFast(context, one)
  needCan(verb, code)
  return code
}
export const needCan = (verb: CodeVerb, code: Code): void => {
  const may = codeCan(verb, standingOf(code))
  if (may !== true) throw ruled(`code_${verb}`, may)
}
/** The columns that stand beside a body, to be found by. */
export const columnsOf = (body: CodeBody) => ({
  name: body.name,
  group_name: body.group_name,
  kind: body.kind,
  mall_id: body.mall_id,
  store_id: body.store_id,
  cost_cents: body.cost_cents,
  welcome_id: body.welcome_id,
  tag_ids: body.tag_ids,
  userids: peopleOf(body),
  start_at: body.start_at,
  end_at: body.end_at,
})
/** What is written of a code: its draft, else what holds. */
export const writtenOf = (code: Pick<Code, 'body' | 'draft'>): CodeBody => code.draft ?? code.body

/** The values of a code that is written and not published. */
const draftValues = (code: Code, body: CodeBody) =>
  code.rev === 0 ? { draft: body, body, ...columnsOf(body) } : { draft: body }
/** Makes a code that WeCom knows nothing of yet. */
export const addDraft = async (context: WriteContext, body: CodeBody): Promise<Code> =>
  codes.add(context, {
    ...columnsOf(body),
    state_key: newState(),
    body,
    draft: body,
    created_by: context.staff.id,
  })
/** Keeps what is written of a code; what holds stays as it is. */
export const saveDraft = (context: WriteContext, code: Code, body: CodeBody): Promise<Code> =>
  codes.save(context, code, draftValues(code, body))
/**
 * Puts a version on its way to WeCom, in the transaction that decided it. It holds once WeCom has
 * taken it (`pushWays`); until then, and where WeCom refuses, the draft stays.
 */
export const publishBody = async (
  context: WriteContext,
  code: Code,
  body: CodeBody,
): Promise<Code> => {
  const { tx, now, staff } = context
  const [last] = (
    await tx.execute<{ rev: number }>(sql`
      select coalesce(max(rev), 0)::int rev from channel_code_version where code_id = ${code.id}`)
  ).rows
  const rev = last!.rev + 1
  await tx
    .insert(channel_code_version)
    .values({ code_id: code.id, rev, body, by_id: staff.id, created_at: now })
  const after = await codes.set(context, code, {
    ...draftValues(code, body),
    way_state: 'waiting',
    way_next_at: now,
    way_tries: 0,
    way_errcode: 0,
    way_error: '',
    ...(code.config_id === null && { way_asked_at: code.way_asked_at ?? now }),
  })
  codes.log(context, after, { after: { rev, name: body.name } })
  context.changed('channel_way')
  return after
}
/** The version that waits for WeCom. */
export const waitingVersion = async (db: Db, code_id: number) =>
  (
    await db
      .select()
      .from(channel_code_version)
      .where(
        and(eq(channel_code_version.code_id, code_id), eq(channel_code_version.state, 'waiting')),
      )
  )[0]
/** The names of malls by their ids. */
export const mallNames = async (db: Db, ids: readonly number[]) =>
  new Map(
    (
      await db
        .select({ id: mall.id, name: mall.name })
        .from(mall)
        .where(inArray(mall.id, [0, ...ids]))
    ).map(one => [one.id, one.name]),
  )
export const inIds = (column: SQL, ids: readonly number[]): SQL =>
  sql`${column} = any(${sql.param(`{${ids.join()}}`)}::int[])`
