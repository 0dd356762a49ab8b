import { and, eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { achievement, member_achievement } from '#src/areas/achievement/achievement.table.ts'
import { settleBadges } from '#src/areas/achievement/awarding.server.ts'
import { countMembers } from '#src/areas/achievement/counting.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { achieve as calls } from '#src/modules/vip/contract/achieve.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { freshMember } from './members.ts'
import { freshProduct } from './trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let product_id: number
/** A desk of badges with a database of its own, for the tests of one file. */
export const openBadges = async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['vip.achieve.*'] })
  product_id = (await database.transaction(tx => freshProduct(tx, 'elist'))).item.id
  const [rule] = await database.db.select().from(points_rule).limit(1)
  return { database, app, me, product_id, rule_id: rule!.id }
}
/** Badges of the demo and of other tests are off: each test awards its own alone. */
export const allOff = () =>
  database.db.update(achievement).set({ status: 'off' }).where(eq(achievement.status, 'on'))
type What = Parameters<typeof send>[1]
let keys = 0
export const call = (what: What, input: object, token = me.token) =>
  send(app, what, input, { token, key: `achieve-${++keys}` })
export const done = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
export const reason = '客服核实后处理'
export const written = (more: object = {}) => ({
  name: '测试勋章',
  group: 'share',
  metric: 'invite_count',
  threshold: 2,
  icon_on: null,
  icon_off: null,
  reward_points: 0,
  reward_coupon_id: null,
  start_at: null,
  end_at: null,
  ...more,
})
export const badgeOn = async (more: object = {}): Promise<number> => {
  const made = await done(calls.create, written(more))
  await done(calls.enable, made)
  return made.id as number
}
export const badgeNow = async (id: number) =>
  (await database.db.select().from(achievement).where(eq(achievement.id, id)))[0]!
export const heldBadge = async (id: number) => ({ id, version: (await badgeNow(id)).version })
export const ownerOf = async (achievement_id: number, member_id: number) =>
  (
    await database.db
      .select()
      .from(member_achievement)
      .where(
        and(
          eq(member_achievement.achievement_id, achievement_id),
          eq(member_achievement.member_id, member_id),
        ),
      )
  )[0]
export const who = async (of: Partial<typeof member.$inferInsert> = {}) =>
  (await freshMember(database, of)).id
export const invite = (inviter_id: number, of: Partial<typeof member.$inferInsert> = {}) =>
  who({ inviter_id, ...of })
export const pointsOf = async (id: number) =>
  (await database.db.select().from(member).where(eq(member.id, id)))[0]!.points
export const count = (...ids: number[]) =>
  database.transaction(tx => countMembers(tx, ids, unixNow()))
export const settle = async (...ids: number[]) => {
  await count(...ids)
  return settleBadges(database, unixNow())
}
export const grant = (achievement_id: number, member_id: number) =>
  done(calls.grant, { achievement_id, member_id, reason })
export const bought = async (member_id: number) => {
  const now = unixNow() - 600
  return database.transaction(async tx => {
    const receiver = {
      name: '张三',
      phone: '13800000000',
      area: '上海市 上海市 静安区',
      address: '南京西路 1 号',
    }
    const one = await placeOrder(tx, { proved: true, product_id, qty: 1, member_id, receiver, now })
    await payOrder(tx, one.id, now)
    return one
  })
}
