import { and, eq, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import type { CodeBody } from '#src/areas/channelCode/channelCode.ts'
import { pushWays } from '#src/areas/channelCode/ways.server.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import { wecom_follow } from '#src/areas/wecom/wecom.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  channelCodes as calls,
  codeEdit,
  type CodeRow,
} from '#src/modules/channel/contract/code.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { corpObjects, corpUser, wecomPair } from './wecom.ts'
import { freshAdvisers, freshCustomer } from './wecomRows.ts'

export let database: Database
export let app: App
export let wecom: EmbeddedWecom
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
let ahead = 0
/** Goes on by so many seconds, as far as WeCom and the pushes know. */
export const later = (seconds: number) => void (ahead += seconds)
export const clock = () => unixNow() + ahead
export let people: { id: number; userid: string; name: string }[]
/** Opens a copy of the demo with a WeCom of its own, and six advisers who may receive. */
export const openBench = async (): Promise<void> => {
  database = await openCopy()
  app = await openApp(database)
  const pair = wecomPair(database, { now: clock })
  client = pair.client
  wecom = pair.wecom
  me = await addStaff(database, { perms: ['channel.code.*'] })
  people = await freshAdvisers(database, 6)
  await corpObjects(
    database,
    'user',
    people.map(one => corpUser(one.userid, { contact: true } as never)),
  )
  // What the demo has on its way is not these tests' own.
  await database.db.update(channel_code).set({ way_next_at: null })
}
export const call = (what: Call, input: object = {}, token = me.token) =>
  send(app, what, input, { token })
export const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
export const list = async (filters: object = {}, token = me.token): Promise<CodeRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
export const one = async (id: number): Promise<CodeRow> => (await list({ id }))[0]!
export const inDb = async (id: number) =>
  (await database.db.select().from(channel_code).where(eq(channel_code.id, id)))[0]!
export const userids = (...at: number[]) => at.map(n => people[n]!.userid)
export const body = (of: Partial<CodeBody> = {}): CodeBody => ({
  name: '测试活码',
  group_name: '测试',
  kind: 'multi',
  mall_id: null,
  store_id: null,
  cost_cents: 0,
  members: userids(0, 1).map(userid => ({ userid, weight: 1, day_cap: null })),
  shifts: [],
  backup_userids: [],
  verify_mode: 'skip',
  verify_windows: [],
  tag_ids: [],
  remark_suffix: '',
  welcome_id: null,
  start_at: null,
  end_at: null,
  ...of,
})
export const push = () => pushWays({ database, client, now: clock() })
export const wayOf = async (config_id: string | null) =>
  (
    await database.db
      .select()
      .from(wecom_corp_object)
      .where(
        and(eq(wecom_corp_object.kind, 'contact_way'), eq(wecom_corp_object.key, config_id ?? '')),
      )
  )[0]?.body as { user: string[]; state: string; skip_verify: boolean } | undefined
export const waysOf = async (state: string) =>
  (
    await database.db.execute<{ key: string }>(sql`select key from wecom_corp_object
      where kind = 'contact_way' and body ->> 'state' = ${state}`)
  ).rows
/** A code that WeCom has taken. */
export const published = async (of: Partial<CodeBody> = {}) => {
  const made = await call(codeEdit.publish, body(of))
  expect(made.status, made.message + JSON.stringify(made.data)).toBe(200)
  await push()
  const row = await inDb(made.data.id)
  expect(row.status).toBe('enabled')
  return row
}
/** Somebody adds an adviser by a code. */
export const added = async (state: string, at: number, staff: number, of: object = {}) => {
  const customer = await freshCustomer(database, { state: 'following', follow_count: 1 })
  const [row] = await database.db
    .insert(wecom_follow)
    .values({
      customer_id: customer.id,
      staff_id: people[staff]!.id,
      source_state: state,
      add_way: 'qrcode',
      added_at: at,
      ...of,
    })
    .returning()
  return row!
}
