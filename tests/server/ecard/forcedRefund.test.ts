import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { activateCode, freezeCodes } from '#src/areas/ecard/codeLife.server.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { cardRisk as calls } from '#src/modules/ecard/contract/risk.ts'
import { ecardOrder } from '#src/modules/order/contract/ecard.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderOf } from '../../help/cardOrders.ts'
import { codeRow } from '../../help/ecardCodes.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let [me, other, third]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const role = { refund_limit_cents: 1_000_000_00 }
  ;[me, other, third] = await Promise.all(
    [1, 2, 3].map(() => addStaff(database, { perms: ['*'], role })),
  )
})
const reason = '盗刷购卡'
const call = (what: What, input: object, by = me!) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = me!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = me!) => {
  const said = await call(what, input, by)
  return said.data?.rule ?? said.status
}
const buy = async (n = 2) => {
  const { face } = await aSold(database)
  const buyer = await aBuyer(database)
  const row = await buyCards(database, { attr_id: face.id, n, buyer: { member_id: buyer.id } })
  return { id: row.id, row, buyer, codes: (await codesOf(database, row.id)).map(one => one.id) }
}
const hitOf = async (order_ids: number[], of: Partial<typeof risk_hit.$inferInsert> = {}) => {
  const now = unixNow()
  const [row] = await database.db
    .insert(risk_hit)
    .values({
      domain: 'ecard',
      rule: 'cards_bought',
      scene: 'ecard',
      level: 'mid',
      score: 70,
      city_id: 1,
      note: '测试命中',
      state: 'confirmed',
      hit_at: now,
      last_at: now,
      order_ids,
      ...(of.state !== 'open' && { decided_by: me!.id, decided_at: now, reason: '已核实' }),
      ...of,
    })
    .returning()
  return row!.id
}
const hitNow = async (id: number) =>
  (await database.db.select().from(risk_hit).where(eq(risk_hit.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await hitNow(id)).version })
const force = async (id: number, order_ids: number[], by = me!) =>
  done(calls.refundAll, { ...(await held(id)), order_ids, reason }, by)
const refundsOf = (order_id: number) =>
  database.db.select().from(refund).where(eq(refund.order_id, order_id))
const statesOf = async (order_id: number) =>
  (await codesOf(database, order_id)).map(one => one.state)
const activate = (code_id: number, member_id: number) =>
  database.transaction(tx => activateCode(tx, { code_id, member_id, now: unixNow() }))
/** Which refund of the order, as the second person reads it. */
const second = async (id: number) => {
  const [made] = await refundsOf(id)
  return { id, refund_id: made!.id, refund_version: made!.version }
}

describe('a forced refund', () => {
  it('waits for another person, who pays it; whoever asked can’t', async () => {
    const one = await buy()
    const hit = await hitOf([one.id])
    expect(await force(hit, [one.id])).toMatchObject({ ok: [one.id], failed: [] })
    expect(await statesOf(one.id)).toEqual(['refunding', 'refunding'])
    expect(await refundsOf(one.id)).toEqual([
      expect.objectContaining({
        state: 'second_audit',
        first_by: me!.id,
        amount_cents: one.row.pay_cents,
        reason,
      }),
    ])
    const alone = await call(ecardOrder.approveRefund, await second(one.id))
    expect([alone.status, alone.message]).toEqual([422, expect.stringContaining('同一人')])
    expect(await statesOf(one.id)).toEqual(['refunding', 'refunding'])
    await done(ecardOrder.approveRefund, await second(one.id), other!)
    await finishPayouts(database, unixNow() + 1)
    expect(await statesOf(one.id)).toEqual(['refunded', 'refunded'])
    expect(await orderOf(database, one.id)).toMatchObject({
      refund_state: 'refunded',
      refunded_cents: one.row.pay_cents,
    })
    const logs = await database.db.select().from(op_log).where(eq(op_log.object_id, hit))
    expect(logs.map(row => row.after)).toContainEqual({ refunds_asked: 1 })
    expect(await broken(database)).toEqual({})
  })
  it('that was sent back is not paid by one person alone either', async () => {
    const one = await buy()
    await force(await hitOf([one.id]), [one.id])
    const refused = { reason_code: 'other', reason: '证据不足，请补充' }
    await done(ecardOrder.refuseRefund, { ...(await second(one.id)), ...refused }, other!)
    expect(await refundsOf(one.id)).toEqual([expect.objectContaining({ state: 'applied' })])
    await done(ecardOrder.approveRefund, await second(one.id))
    expect(await refundsOf(one.id)).toEqual([expect.objectContaining({ state: 'second_audit' })])
    const alone = await call(ecardOrder.approveRefund, await second(one.id))
    expect([alone.status, alone.message]).toEqual([422, expect.stringContaining('同一人')])
  })
  it('gives back unspent cards at their share, and says of each other order why not', async () => {
    const [part, none, foreign] = [await buy(2), await buy(1), await buy(1)]
    await activate(part.codes[0]!, part.buyer.id)
    await database.db
      .update(ecard_code)
      .set({ shown_at: unixNow() })
      .where(eq(ecard_code.id, none.codes[0]!))
    const hit = await hitOf([part.id, none.id])
    const { list } = await done(calls.lst, { state: 'confirmed', pageSize: 100 })
    const row = list.find((each: { id: number }) => each.id === hit)
    expect(row.refundable_orders).toEqual([{ id: part.id, name: part.row.order_no }])
    expect((await done(calls.refundable, { id: hit })).list).toEqual(row.refundable_orders)
    const said = await force(hit, [part.id, none.id, foreign.id])
    expect(said.ok).toEqual([part.id])
    expect(said.failed).toEqual(
      [none.id, foreign.id].map(id => expect.objectContaining({ id, code: 'nothing_unspent' })),
    )
    expect(await refundsOf(part.id)).toEqual([
      expect.objectContaining({ amount_cents: part.row.pay_cents / 2 }),
    ])
    expect(await statesOf(part.id)).toEqual(['active', 'refunding'])
    expect(await statesOf(foreign.id)).toEqual(['sold'])
    expect(await refundsOf(none.id)).toEqual([])
  })
  it('takes the cards that the hit froze, not those that others froze', async () => {
    const one = await buy(2)
    const hit = await hitOf([one.id])
    const by = { admin_id: me!.id, reason: '公安协查', now: unixNow() }
    await database.transaction(tx => freezeCodes(tx, eq(ecard_code.id, one.codes[0]!), by))
    await done(calls.freezeCards, { ...(await held(hit)), reason })
    expect((await hitNow(hit)).froze_codes).toEqual([one.codes[1]])
    await force(hit, [one.id])
    expect(await statesOf(one.id)).toEqual(['frozen', 'refunding'])
    expect((await hitNow(hit)).froze_codes).toEqual([])
    expect(await codeRow(database, one.codes[0]!)).toMatchObject({ reason: '公安协查' })
  })
  it('comes after the hit is confirmed, and is of hits of e-cards alone', async () => {
    const one = await buy(1)
    const ask = async (hit: number) => ({ ...(await held(hit)), order_ids: [one.id], reason })
    const open = await hitOf([one.id], { state: 'open' })
    expect(await rule(calls.refundAll, await ask(open))).toBe('not_confirmed')
    const freed = await hitOf([one.id], { state: 'released' })
    expect(await rule(calls.refundAll, await ask(freed))).toBe('decided')
    const foreign = await hitOf([one.id], { scene: 'order', domain: 'platform' })
    expect(await rule(calls.refundAll, await ask(foreign))).toBe(404)
    expect((await call(calls.refundable, { id: foreign })).status).toBe(404)
    expect(await statesOf(one.id)).toEqual(['sold'])
  })
  it('is nobody’s who may not ask for it, nor of orders outside one’s places', async () => {
    const one = await buy(1)
    const hit = await hitOf([one.id])
    const viewer = await addStaff(database, { perms: ['ecard.risk.view'] })
    const ask = { ...(await held(hit)), order_ids: [one.id], reason }
    expect((await call(calls.refundAll, ask, viewer)).status).toBe(403)
    const far = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [one.row.city_id + 1000] },
    })
    expect((await call(calls.refundAll, ask, far)).status).toBe(404)
    expect(await statesOf(one.id)).toEqual(['sold'])
  })
})

describe('two at once', () => {
  it('ask for the same: one refund is made', async () => {
    const one = await buy()
    const hit = await hitOf([one.id])
    const ask = { ...(await held(hit)), order_ids: [one.id], reason }
    const said = await Promise.all([call(calls.refundAll, ask), call(calls.refundAll, ask, other!)])
    expect(said.filter(each => each.status === 200)).toHaveLength(1)
    expect(await refundsOf(one.id)).toHaveLength(1)
  })
  it('approve: it is paid once', async () => {
    const one = await buy()
    await force(await hitOf([one.id]), [one.id])
    const which = await second(one.id)
    const said = await Promise.all(
      [other!, third!].map(by => call(ecardOrder.approveRefund, which, by)),
    )
    expect(said.filter(each => each.status === 200)).toHaveLength(1)
    await finishPayouts(database, unixNow() + 1)
    expect(await orderOf(database, one.id)).toMatchObject({ refunded_cents: one.row.pay_cents })
  })
  it('the buyer activates meanwhile: one of the two wins, whole', async () => {
    for (const buyerFirst of [true, false]) {
      const one = await buy(1)
      const hit = await hitOf([one.id])
      const mine = async () => {
        const { ok } = await force(hit, [one.id])
        return ok.length === 1
      }
      const theirs = () =>
        activate(one.codes[0]!, one.buyer.id).then(
          () => true,
          () => false,
        )
      const both = buyerFirst ? [theirs(), mine()] : [mine(), theirs()]
      const won = await Promise.all(both)
      expect(won.filter(Boolean)).toHaveLength(1)
      const refunded = won[buyerFirst ? 1 : 0]
      expect(await statesOf(one.id)).toEqual([refunded ? 'refunding' : 'active'])
      expect(await refundsOf(one.id)).toHaveLength(refunded ? 1 : 0)
    }
  })
})
