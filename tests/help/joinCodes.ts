import { and, desc, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import type { EmbeddedWecom } from '#src/areas/wecom/embeddedWecom.channel.ts'
import { readJoinWays, sendJoinWays, turnJoinWays } from '#src/areas/wecom/joinClock.server.ts'
import { takeGroup } from '#src/areas/wecom/syncGroups.server.ts'
import type { wecom_staff } from '#src/areas/wecom/wecom.table.ts'
import { wecom_group } from '#src/areas/wecom/wecomGroup.table.ts'
import { wecom_join_switch, wecom_join_way } from '#src/areas/wecom/wecomJoin.table.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import type { WecomGroupChat, WecomJoinWay } from '#src/areas/wecom/wire.channel.ts'
import type { Call } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { joinCodes as calls, type JoinRow } from '#src/modules/channel/contract/customerGroup.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { corpObjects, corpUser, wecomPair } from './wecom.ts'
import { freshAdvisers } from './wecomRows.ts'

export let database: Database
export let app: App
export let wecom: EmbeddedWecom
let client: WecomClient
let me: Awaited<ReturnType<typeof addStaff>>
let ahead = 0
/** Goes on by so many seconds, as far as WeCom and the clock know. */
export const later = (seconds: number) => void (ahead += seconds)
export const clock = () => unixNow() + ahead
export let owners: (typeof wecom_staff.$inferSelect)[]
/** A mall of the demo, which the chats of a test are bound to. */
export let mall_id: number
/** Opens a copy of the demo with a WeCom of its own, and three colleagues who may own chats. */
export const openJoinBench = async (): Promise<void> => {
  database = await openCopy()
  app = await openApp(database)
  const pair = wecomPair(database, { now: clock })
  client = pair.client
  wecom = pair.wecom
  me = await addStaff(database, { perms: ['channel.customerGroup.*'] })
  owners = await freshAdvisers(database, 3)
  await corpObjects(
    database,
    'user',
    owners.map(one => corpUser(one.userid, { contact: true } as never)),
  )
  const [bound] = await database.db
    .select({ mall_id: wecom_group.mall_id })
    .from(wecom_group)
    .where(eq(wecom_group.status, 'normal'))
  mall_id = bound!.mall_id!
  // What the demo has on its way is not these tests' own.
  await database.db
    .update(wecom_join_way)
    .set({ work: 'done', read_next_at: null, status: 'paused' })
}
export const call = (what: Call, input: object = {}, token = me.token) =>
  send(app, what, input, { token })
export const held = ({ id, version }: { id: number; version: number }) => ({ id, version })
export const list = async (filters: object = {}, token = me.token): Promise<JoinRow[]> =>
  (await call(calls.lst, { pageSize: 200, ...filters }, token)).data.list
export const one = async (id: number): Promise<JoinRow> => (await list({ id }))[0]!
const running = () => ({ database, client, now: clock() })
/** What the clock does each minute. */
export const tick = async () => {
  const of = running()
  await readJoinWays(of)
  await turnJoinWays(of)
  await sendJoinWays(of)
}
let made = 0
type Of = Partial<typeof wecom_group.$inferInsert> & { people?: number }
/** A chat of a test's own that WeCom knows too, with its owner and so many others in it. */
export const freshChat = async ({ people = 3, ...set }: Of = {}) => {
  const n = ++made
  const chat_id = `wrJoinTests${String(n).padStart(6, '0')}`
  const owner = owners[0]!
  const begun = clock() - 40 * DAY
  const chat: WecomGroupChat = {
    chat_id,
    name: set.name ?? `入群测试${n}`,
    owner: owner.userid,
    create_time: begun,
    notice: '',
    member_list: [
      { userid: owner.userid, type: 1, join_time: begun, join_scene: 1, name: owner.name },
      ...Array.from({ length: people }, (_, at) => ({
        userid: `wmJoin${n}x${at}`,
        type: 2,
        join_time: begun + 60,
        join_scene: 3,
        name: `群友${at}`,
      })),
    ],
  }
  await corpObjects(database, 'group_chat', [[chat_id, chat as never]])
  const id = await database.transaction(tx => takeGroup(tx, chat, clock()))
  await setChat(id, { mall_id, ...set })
  const [row] = await database.db.select().from(wecom_group).where(eq(wecom_group.id, id))
  return row!
}
export const setChat = (id: number, set: Partial<typeof wecom_group.$inferInsert>) =>
  database.db.update(wecom_group).set(set).where(eq(wecom_group.id, id))
/** Leaves so many places in a chat. */
export const leave = async (id: number, room: number) => {
  const [row] = await database.db.select().from(wecom_group).where(eq(wecom_group.id, id))
  await setChat(id, { max_members: row!.member_count + room })
}
/** A code over some chats, which WeCom has taken. */
export const freshCode = async (chat_ids: readonly number[], of: object = {}): Promise<JoinRow> => {
  const said = await call(calls.create, {
    name: `测试群活码${++made}`,
    chat_ids,
    auto_create: false,
    ...of,
  })
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  await tick()
  return one(said.data.id)
}
export const inDb = async (id: number) =>
  (await database.db.select().from(wecom_join_way).where(eq(wecom_join_way.id, id)))[0]!
export const corpWay = async (config_id: string | null) =>
  (
    await database.db
      .select()
      .from(wecom_corp_object)
      .where(
        and(eq(wecom_corp_object.kind, 'join_way'), eq(wecom_corp_object.key, config_id ?? '')),
      )
  )[0]?.body as WecomJoinWay | undefined
export const lastTurn = async (way_id: number) =>
  (
    await database.db
      .select()
      .from(wecom_join_switch)
      .where(eq(wecom_join_switch.way_id, way_id))
      .orderBy(desc(wecom_join_switch.id))
      .limit(1)
  )[0]
