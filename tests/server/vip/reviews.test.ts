import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { growth_ledger } from '#src/areas/level/level.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { points_ledger } from '#src/areas/points/points.table.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { comment, comment_reward } from '#src/areas/review/review.table.ts'
import { decideComment, deleteComment } from '#src/areas/review/reviews.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { memberApp } from '#src/modules/vip/contract/app.ts'
import {
  commentRewards,
  commentRules as rules,
  type CommentRow,
} from '#src/modules/vip/contract/scoreComment.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, send } from '../../help/app.ts'
import { freshMember } from '../../help/members.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'
import { freshProduct } from '../../help/trade.ts'

let database: Database
let app: App
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let me: Awaited<ReturnType<typeof addStaff>>
let item: typeof product.$inferSelect
let rule_id: number
const config = { star: 2, text: 5, text_min: 10, images: 5, video: 10, featured: 50 }
const long = '烤鱼外酥里嫩，配菜新鲜，服务员主动加水'
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  app = phone.app
  me = await addStaff(database, { perms: ['vip.score.comment.*'] })
  await database.db
    .update(points_rule)
    .set({ status: 'off' })
    .where(eq(points_rule.kind, 'comment'))
  const [rule] = await database.db
    .insert(points_rule)
    .values({ kind: 'comment', name: '测试评价', config, status: 'on' })
    .returning()
  rule_id = rule!.id
  const now = unixNow()
  const made = await database.transaction(tx => freshProduct(tx, 'voucher'))
  const [row] = await database.db
    .update(product)
    .set({
      stock: 10_000,
      sale_start_at: now - 9 * DAY,
      sale_end_at: now + 90 * DAY,
      check_start_at: now - 9 * DAY,
      check_end_at: now + 120 * DAY,
      valid_days: 30,
    })
    .where(eq(product.id, made.item.id))
    .returning()
  item = row!
}, 120_000)
const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
/** Something bought by a member, redeemed unless said otherwise. */
const bought = async (member_id: number, used = true) => {
  const now = unixNow() - 600
  const made = await database.transaction(async tx => {
    const one = await placeOrder(tx, { proved: true, product_id: item.id, qty: 1, member_id, now })
    await payOrder(tx, one.id, now)
    return one
  })
  const [line] = await database.db.select().from(order_item).where(eq(order_item.order_id, made.id))
  const [code] = await database.db.select().from(order_code).where(eq(order_code.order_id, made.id))
  if (used)
    await database.transaction(tx =>
      redeem(tx, { code_id: code!.id, store_id: item.store_ids[0]!, now: unixNow() - 300 }),
    )
  return { order_no: made.order_no, item_id: line!.id, code_id: code!.id }
}
type Bought = Awaited<ReturnType<typeof bought>>
const review = async (member_id: number, of: Bought, text: string, more: object = {}) => {
  const { order_no, item_id } = of
  const ticket = await phone.enter(member_id)
  const written = { ticket, order_no, item_id, rating: 5, text, images: [], video: '', ...more }
  return (await send(app, memberApp.writeReview, written)).data as { state: string; points: number }
}
const remove = async (member_id: number, { order_no, item_id }: Bought) =>
  (
    await send(app, memberApp.deleteReview, {
      ticket: await phone.enter(member_id),
      order_no,
      item_id,
    })
  ).data
/** What reviews have given a member; a level that is reached gives points too. */
const earned = async (id: number) =>
  (
    await database.db
      .select()
      .from(points_ledger)
      .where(and(eq(points_ledger.member_id, id), eq(points_ledger.biz_kind, 'comment')))
  ).reduce((sum, row) => sum + row.delta - row.debt_delta, 0)
const rewardOf = async (of: Bought) =>
  (
    await database.db
      .select()
      .from(comment_reward)
      .where(eq(comment_reward.order_item_id, of.item_id))
      .orderBy(comment_reward.id)
  ).at(-1)!
const last = (of: Bought) =>
  database.db
    .select()
    .from(comment)
    .where(eq(comment.order_item_id, of.item_id))
    .orderBy(comment.id)
    .then(rows => rows.at(-1)!)
const decide = (id: number, state: 'shown' | 'rejected') =>
  database.transaction(tx =>
    decideComment(tx, { id, state, reason: '', operator_id: me.id, now: unixNow() }),
  )

describe('a review', () => {
  it('earns what it has, once an item, also for two at once', async () => {
    const { id } = await freshMember(database)
    const one = await bought(id)
    const said = await Promise.all([
      review(id, one, long, { images: ['a.jpg'] }),
      review(id, one, long, { images: ['a.jpg'] }),
    ])
    expect(said.map(of => of.state).sort()).toEqual(['again', 'shown'])
    expect(await earned(id)).toBe(12)
    expect(await rewardOf(one)).toMatchObject({
      state: 'paid',
      points: 12,
      rule_id,
      parts: { star: 2, text: 5, images: 5, video: 0 },
    })
    const grown = await database.db
      .select()
      .from(growth_ledger)
      .where(and(eq(growth_ledger.member_id, id), eq(growth_ledger.kind, 'comment')))
    expect(grown).toHaveLength(1)
  })
  it('comes of one’s own item that was redeemed and not refunded', async () => {
    const { id } = await freshMember(database)
    const { id: other } = await freshMember(database)
    const open = await bought(id, false)
    expect((await review(id, open, long)).state).toBe('early')
    const used = await bought(id)
    expect((await review(other, used, long)).state).toBe('none')
    await database.db
      .update(order_code)
      .set({ times_used: 0, times_refunded: 1 })
      .where(eq(order_code.id, used.code_id))
    expect((await review(id, used, long)).state).toBe('early')
    expect(await earned(id)).toBe(0)
  })
  it('counts no emoji and no repetition', async () => {
    const { id } = await freshMember(database)
    const one = await bought(id)
    expect((await review(id, one, '好吃好吃好吃好吃好吃好吃😋😋😋😋😋😋')).points).toBe(2)
    expect(await rewardOf(one)).toMatchObject({ text_n: 2 })
  })
  it('with the same text earns a member once', async () => {
    const { id } = await freshMember(database)
    const { id: other } = await freshMember(database)
    const [a, b, c] = [await bought(id), await bought(id), await bought(other)]
    expect((await review(id, a, long)).points).toBe(7)
    expect((await review(id, b, `${long}！！😋`)).points).toBe(0)
    expect(await rewardOf(b)).toMatchObject({ state: 'none', why: 'duplicate' })
    expect((await review(other, c, long)).points).toBe(7)
  })
  it('that is held back earns once a person let it pass, and nothing if turned down', async () => {
    const { id } = await freshMember(database)
    const [a, b] = [await bought(id), await bought(id)]
    expect(await review(id, a, `${long}，可以加微信`)).toEqual({ state: 'pending', points: 0 })
    await review(id, b, '服务员态度特别好，环境也干净，可以加微信')
    expect(await earned(id)).toBe(0)
    const waits = await last(a)
    const said = await Promise.allSettled([decide(waits.id, 'shown'), decide(waits.id, 'shown')])
    expect(said.map(one => one.status).sort()).toEqual(['fulfilled', 'rejected'])
    await decide((await last(b)).id, 'rejected')
    expect(await earned(id)).toBe(7)
  })
  it('gives its points back when its member deletes it within seven days, and is paid once', async () => {
    const { id } = await freshMember(database)
    const [one, old] = [await bought(id), await bought(id)]
    await review(id, one, long)
    expect(await remove(id, one)).toEqual({ state: 'deleted', points: 7 })
    expect(await remove(id, one)).toEqual({ state: 'none', points: 0 })
    expect(await earned(id)).toBe(0)
    expect(await review(id, one, '第二次评价写得更加仔细认真了')).toEqual({
      state: 'shown',
      points: 0,
    })
    await review(id, old, '这一条评价已经发布超过七天时间')
    await database.db
      .update(comment_reward)
      .set({ at: unixNow() - 7 * DAY - 60 })
      .where(eq(comment_reward.order_item_id, old.item_id))
    expect((await remove(id, old)).points).toBe(0)
    expect(await earned(id)).toBe(7)
  })
  it('gives them back whenever staff delete it for abuse', async () => {
    const { id } = await freshMember(database)
    const one = await bought(id)
    await review(id, one, long)
    await database.db
      .update(comment_reward)
      .set({ at: unixNow() - 90 * DAY })
      .where(eq(comment_reward.order_item_id, one.item_id))
    const of = await last(one)
    const gone = () =>
      database.transaction(tx =>
        deleteComment(tx, {
          id: of.id,
          by: 'staff',
          reason: '广告',
          operator_id: me.id,
          now: unixNow(),
        }),
      )
    expect([await gone(), await gone()]).toEqual([7, undefined])
    const grown = await database.db
      .select()
      .from(growth_ledger)
      .where(and(eq(growth_ledger.member_id, id), eq(growth_ledger.kind, 'comment')))
    expect(grown[0]!.reversed_by).not.toBeNull()
  })
  it('of a member who is muted is not taken', async () => {
    const { id } = await freshMember(database, { account_state: 'muted' })
    expect((await review(id, await bought(id), long)).state).toBe('muted')
  })
})

describe('staff', () => {
  const held = async (of: Bought) => {
    const { id, version } = await rewardOf(of)
    return { id, version }
  }
  it('feature a review once, for two people too', async () => {
    const { id } = await freshMember(database)
    const one = await bought(id)
    await review(id, one, long)
    const row = await held(one)
    const said = await Promise.all([
      call(commentRewards.feature, row),
      call(commentRewards.feature, row),
    ])
    expect(said.filter(of => of.status === 200)).toHaveLength(1)
    expect((await call(commentRewards.feature, await held(one))).data.rule).toBe('not_featured')
    expect(await earned(id)).toBe(57)
  })
  it('take a reward back once, its bonus too, and cannot feature it then', async () => {
    const { id } = await freshMember(database)
    const one = await bought(id)
    await review(id, one, long)
    await call(commentRewards.feature, await held(one))
    const stale = await held(one)
    const said = await call(commentRewards.revoke, { ...stale, reason: '好评返现' })
    expect(said.data.taken).toBe(57)
    expect((await call(commentRewards.revoke, { ...stale, reason: '好评返现' })).status).toBe(409)
    const again = await call(commentRewards.revoke, { ...(await held(one)), reason: '好评返现' })
    expect(again.data.rule).toBe('not_paid')
    expect((await call(commentRewards.feature, await held(one))).data.rule).toBe('not_featured')
    expect(await earned(id)).toBe(0)
  })
  it('change the rule as they read it, and turn it off', async () => {
    const read = async () =>
      ((await call(rules.lst, {})).data as { list: CommentRow[] }).list.find(
        row => row.id === rule_id,
      )!
    const span = { daily_cap: 3, total_cap: null, start_at: null, end_at: null }
    const was = await read()
    const input = { id: was.id, version: was.version, ...config, ...span }
    expect((await call(rules.save, input)).status).toBe(200)
    expect((await call(rules.save, input)).status).toBe(409)
    const { id } = await freshMember(database)
    expect((await review(id, await bought(id), long)).points).toBe(3)
    const now = await read()
    await call(rules.disable, { id: now.id, version: now.version, reason: '调整规则' })
    const off = await bought(id)
    await review(id, off, '停用之后写的评价不会再发积分')
    expect(await rewardOf(off)).toMatchObject({ state: 'none', why: 'rule_off' })
    expect(await earned(id)).toBe(3)
  })
  it('see how many rewarded reviews were deleted', async () => {
    const said = (await call(rules.stat, {})).data
    expect(said.rewarded).toBeGreaterThanOrEqual(said.deleted)
    expect(said.deleted).toBeGreaterThan(0)
    const list = (await call(commentRewards.lst, { deleted_by: 'member' })).data.list
    expect(list.length).toBeGreaterThan(0)
    expect(list.every((row: { deleted_by: string }) => row.deleted_by === 'member')).toBe(true)
  })
})
