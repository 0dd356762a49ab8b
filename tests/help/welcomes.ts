import { eq, ne } from 'drizzle-orm'
import { expect } from 'vitest'
import { channel_code } from '#src/areas/channelCode/channelCode.table.ts'
import type { WecomClient } from '#src/areas/wecom/client.channel.ts'
import { takeEvent, workInbox } from '#src/areas/wecom/inbox.server.ts'
import { wecom_event } from '#src/areas/wecom/wecomPort.table.ts'
import { wecom_welcome, wecom_welcome_send } from '#src/areas/welcome/welcome.table.ts'
import type { Call } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { weChatWelcomingMessage as calls } from '#src/modules/vip/contract/weChatWelcomingMessage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { freshAdvisers } from './wecomRows.ts'

export const PERMS = ['vip.weChatWelcomingMessage.*', 'channel.welcome.*']
let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let advisers: Awaited<ReturnType<typeof freshAdvisers>>
/** Messages of a database of their own, with three advisers of a test's own. */
export const openWelcomes = async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: PERMS })
  await database.db.delete(wecom_event)
  advisers = await freshAdvisers(database, 3)
  return { database, app, advisers, me }
}
/** Every test has the default alone, and no sends. */
export const defaultAlone = async () => {
  await database.db.update(channel_code).set({ welcome_id: null })
  await database.db.delete(wecom_welcome_send)
  await database.db.delete(wecom_welcome).where(ne(wecom_welcome.is_default, true))
}

let keys = 0
export const call = (what: Call, input: object, token = me.token) =>
  send(app, what, input, { token, key: `welcome-${++keys}` })
export const done = async (what: Call, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
export const night = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 22 * 60, to_min: 9 * 60 }
export const day = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 9 * 60, to_min: 22 * 60 }
export const written = (more: object = {}) => ({
  name: '测试欢迎语',
  scope: 'staff',
  mall_id: null,
  department_ids: [],
  staff_ids: [advisers[0]!.id],
  priority: 100,
  hours: [],
  text: '你好',
  attachments: [],
  coupon_id: null,
  ...more,
})
export const now = async (id: number) =>
  (await database.db.select().from(wecom_welcome).where(eq(wecom_welcome.id, id)))[0]!
export const held = async (id: number) => ({ id, version: (await now(id)).version })
export const made = async (more: object = {}): Promise<number> =>
  (await done(calls.create, written(more))).id
export const on = async (more: object = {}): Promise<number> => {
  const id = await made(more)
  await done(calls.enable, await held(id))
  return id
}
export const theDefault = async () =>
  (await database.db.select().from(wecom_welcome).where(eq(wecom_welcome.is_default, true)))[0]!

type Body = Parameters<WecomClient['sendWelcome']>[0]
export type Fake = { sends?: WecomClient['sendWelcome']; picture?: () => Promise<Buffer> }
let friends = 0
/** Somebody adds an adviser; answers what was sent and what is written of it. */
export const adds = async (
  of: { userid?: string; state?: string; ago?: number; code?: string; external?: string } = {},
  { sends, picture = async () => Buffer.alloc(64) }: Fake = {},
) => {
  const at = unixNow()
  const n = ++friends
  const bodies: Body[] = []
  const real = app.install.wecom
  const wecom: WecomClient = {
    ...real,
    sendWelcome: body => {
      bodies.push(body)
      return (sends ?? real.sendWelcome)(body)
    },
  }
  const code = of.code ?? app.wecom.embedded!.welcomeCode()
  const external = of.external ?? `wmWelcomeOfOurOwn${String(n).padStart(14, '0')}`
  await takeEvent(
    database.db,
    {
      FromUserName: 'sys',
      MsgType: 'event',
      CreateTime: String(at - (of.ago ?? 1)),
      Event: 'change_external_contact',
      ChangeType: 'add_external_contact',
      UserID: of.userid ?? advisers[0]!.userid,
      ExternalUserID: external,
      ...(of.state && { State: of.state }),
      WelcomeCode: code,
      Nth: String(n),
    },
    at,
  )
  await workInbox({
    database,
    events: app.events,
    install: { ...app.install, wecom, picture },
    log: openLog('silent'),
    now: at + 1,
  })
  const rows = await database.db
    .select()
    .from(wecom_welcome_send)
    .where(eq(wecom_welcome_send.external_userid, external))
  return { bodies, send: rows[0]!, rows, code, external }
}
