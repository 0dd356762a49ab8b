import { and, desc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { op_log } from '#src/areas/log/log.table.ts'
import type { GoodsFilter } from '#src/areas/redeemCode/goods.ts'
import { code_batch, redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { UNDO_S } from '#src/areas/redeemCode/redeemCode.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchAdd } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches } from '#src/modules/redeemCode/contract/index.ts'
import { redeemLogs, type RedeemRow } from '#src/modules/redeemCode/contract/redeem.ts'
import { codeDesk as calls } from '#src/modules/redeemCode/contract/vertify.ts'
import { addStaff } from '../../help/app.ts'
import { storeOf } from '../../help/bindings.ts'
import { freshCity } from '../../help/designed.ts'
import { prizeBench } from '../../help/prizes.ts'

let on: Awaited<ReturnType<typeof prizeBench>>
beforeAll(async () => {
  on = await prizeBench()
})
const now = unixNow()
const record = async (batch_id: number) =>
  (await on.done(redeemLogs.lst, { batch_id, result: 'ok', page: 1, pageSize: 10 })).list[0]

describe('a batch with a prize', () => {
  it('costs it, says it and is found by it', async () => {
    const { batch } = await on.batch({ quantity: 7 })
    const row = await on.done(codeBatches.detail, { id: batch.id })
    expect(row).toMatchObject({ goods: '保温杯', goods_cents: 68_00, worst_cents: 7 * 68_00 })
    const found = await on.done(codeBatches.lst, {
      reward: 'goods',
      partner: batch.partner,
      page: 1,
      pageSize: 10,
    })
    expect(found.list.map((one: { id: number }) => one.id)).toEqual([batch.id])
    const cost = { quantity: 10, points: 5, goods_cents: 100, coupon_ids: [] }
    expect(await on.done(batchAdd.estimate, cost)).toMatchObject({
      unit_cents: 105,
      worst_cents: 1050,
    })
  })
  it('costs no more than can be told, however many codes and uses are asked for', async () => {
    const cost = { quantity: 1_000_000, use_limit: 1_000_000, points: 1_000_000 }
    const most = Number.MAX_SAFE_INTEGER
    expect(
      await on.done(batchAdd.estimate, { ...cost, goods_cents: 50_000_00, coupon_ids: [] }),
    ).toMatchObject({ worst_cents: most, points_total: most })
    const { status } = await on.call(batchAdd.estimate, { ...cost, goods_cents: 50_000_01 })
    expect(status).toBe(400)
  })
})

describe('a prize', () => {
  it('is promised, then waits, then was handed over: the desk and the records say where and by whom', async () => {
    const { codes, batch } = await on.batch()
    const before = await on.look(codes[0]!)
    expect(before).toMatchObject({ rewards: ['实物「保温杯」'], goods: null })
    const redeemed = await on.redeem(before.id)
    expect(redeemed.text).toContain('待核销')
    expect(redeemed.code.goods).toMatchObject({
      name: '保温杯',
      state: 'waiting',
      until: batch.end_at,
    })
    expect(await record(batch.id)).toMatchObject({ goods_state: 'waiting', handed_at: null })
    expect((await on.handOver(before.id)).status).toBe(200)
    const by = { by: on.clerk.account, store: on.shop.name }
    expect((await on.look(codes[0]!)).goods).toMatchObject({ state: 'handed', ...by })
    expect(await record(batch.id)).toMatchObject({
      goods_state: 'handed',
      handed_store: on.shop.name,
      handed_name: on.clerk.account,
      rewards: ['实物「保温杯」'],
    })
    expect((await on.success(before.id)).granted).toMatchObject({ cost_cents: 68_00 })
    const [log] = await on.database.db
      .select()
      .from(op_log)
      .where(and(eq(op_log.action, 'redeemCode.vertify.handOver'), eq(op_log.object_id, before.id)))
      .orderBy(desc(op_log.id))
      .limit(1)
    expect(log).toMatchObject({ after: { goods: '保温杯', handed_store_id: on.shop.id } })
  })
  it('is handed over once: the second is told who did, when and where', async () => {
    const { id } = await on.won()
    expect((await on.handOver(id)).status).toBe(200)
    const late = await on.handOver(id, on.other)
    expect(late.status).toBe(409)
    expect(late.data.rule).toBe('handed_over')
    expect(late.message).toContain(on.clerk.account)
    expect(late.message).toContain(on.shop.name)
    expect(late.message).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d/)
  })
  it('is not handed over before the code is redeemed, of a batch without one, or after its end', async () => {
    const { codes } = await on.batch()
    const { id } = await on.look(codes[0]!)
    expect((await on.handOver(id)).data.rule).toBe('not_redeemed')
    const plain = await on.won({ goods: '', points: 10 })
    expect((await on.handOver(plain.id)).data.rule).toBe('no_goods')
    const old = await on.won()
    await on.database.db
      .update(code_batch)
      .set({ start_at: now - 2 * DAY, end_at: unixNow() - 1 })
      .where(eq(code_batch.id, old.batch.id))
    expect((await on.look(old.code)).goods.state).toBe('expired')
    expect((await on.handOver(old.id)).data.rule).toBe('goods_expired')
    expect((await on.success(old.id)).handed_at).toBeNull()
  })
})

describe('records', () => {
  it('are found by how their prize stands, or that they have none', async () => {
    const { codes, batch } = await on.batch({ codes: 5, quantity: 5 })
    const [waiting, handed, late, back] = await Promise.all(
      codes.slice(0, 4).map(code => on.look(code)),
    )
    for (const { id } of [waiting, handed, late, back]) await on.redeem(id)
    await on.handOver(handed.id)
    await on.undo(back.id)
    await on.database.db
      .update(redeem_code)
      .set({ end_at: now - 1 })
      .where(eq(redeem_code.id, late.id))
    // A try that was refused gave nothing.
    await on.redeem(waiting.id)
    const found = async (goods_state?: GoodsFilter) => {
      const asked = { batch_id: batch.id, page: 1, pageSize: 10 }
      const said = await on.done(redeemLogs.lst, { ...asked, ...(goods_state && { goods_state }) })
      const rows: RedeemRow[] = said.list
      expect(said.total).toBe(rows.length)
      return rows
    }
    const all = await found()
    expect(all).toHaveLength(5)
    for (const [state, code_ids] of [
      ['waiting', [waiting.id]],
      ['handed', [handed.id]],
      ['expired', [late.id]],
      ['none', [waiting.id, back.id]],
    ] as const) {
      const rows = await found(state)
      expect([state, rows.map(row => row.code_id).toSorted()]).toEqual([state, code_ids.toSorted()])
      const shown = state === 'none' ? null : state
      expect(rows).toEqual(all.filter(row => row.goods_state === shown))
    }
  })
  it('go by the end that a code has of its own, before and after that of its batch', async () => {
    const { codes, batch } = await on.batch({ codes: 2, quantity: 2 })
    const [longer, plain] = await Promise.all(codes.map(code => on.look(code)))
    for (const { id } of [longer, plain]) await on.redeem(id)
    await on.database.db
      .update(redeem_code)
      .set({ end_at: now + 30 * DAY })
      .where(eq(redeem_code.id, longer.id))
    const found = async (goods_state: GoodsFilter) => {
      const asked = { batch_id: batch.id, goods_state, page: 1, pageSize: 10 }
      const rows: RedeemRow[] = (await on.done(redeemLogs.lst, asked)).list
      expect(rows.every(row => row.goods_state === goods_state)).toBe(true)
      return rows.map(row => row.code_id).toSorted()
    }
    expect(await found('waiting')).toEqual([longer.id, plain.id].toSorted())
    expect(await found('expired')).toEqual([])
    await on.database.db
      .update(code_batch)
      .set({ start_at: now - 2 * DAY, end_at: unixNow() - 1 })
      .where(eq(code_batch.id, batch.id))
    expect(await found('waiting')).toEqual([longer.id])
    expect(await found('expired')).toEqual([plain.id])
  })
})

describe('the store', () => {
  it('is open, of the batch’s malls and of the person’s data', async () => {
    const shut = await storeOf(on.database, { status: 'closed' })
    const { id } = await on.won()
    const closed = await on.handOver(id, on.clerk, shut.id)
    expect(Object.keys(closed.data.fields)).toEqual(['store_id'])
    const away = await addStaff(on.database, {
      perms: ['redeemCode.*'],
      role: { scope_type: 'city', scope_ids: [9999] },
    })
    expect((await on.handOver(id, away)).status).toBe(404)
    expect((await on.success(id)).handed_at).toBeNull()
    const mall = 900_417
    const inside = await storeOf(on.database, { mall_id: mall })
    const ofMall = await on.won({ mall_ids: [mall] })
    const outside = await on.handOver(ofMall.id)
    expect(Object.keys(outside.data.fields)).toEqual(['store_id'])
    const asked = { page: 1, pageSize: 10 }
    const offered = await on.done(calls.stores, { ...asked, code_id: ofMall.id })
    expect(offered).toEqual({ list: [{ id: inside.id, name: inside.name }], total: 1 })
    expect((await on.done(calls.stores, asked, away)).total).toBe(0)
    expect((await on.handOver(ofMall.id, on.clerk, inside.id)).status).toBe(200)
  })
  it('has a counter: an online shop is neither offered nor taken', async () => {
    const city_id = await freshCity(on.database)
    const shop = await storeOf(on.database, { city_id })
    const online = await storeOf(on.database, { city_id, kind: 'online' })
    const clerk = await addStaff(on.database, {
      perms: ['redeemCode.*'],
      role: { scope_type: 'city', scope_ids: [city_id] },
    })
    const { id } = await on.won()
    const offered = await on.done(calls.stores, { page: 1, pageSize: 10, code_id: id }, clerk)
    expect(offered).toEqual({ list: [{ id: shop.id, name: shop.name }], total: 1 })
    const said = await on.handOver(id, clerk, online.id)
    expect(Object.keys(said.data.fields)).toEqual(['store_id'])
    expect((await on.success(id)).handed_at).toBeNull()
    expect((await on.handOver(id, clerk, shop.id)).status).toBe(200)
  })
  it('is remembered as the person’s last', async () => {
    const clerk = await addStaff(on.database, { perms: ['redeemCode.*'] })
    const [first, second] = [await on.won(), await on.won()]
    expect((await on.look(first.code, clerk)).last_store).toBeNull()
    await on.handOver(first.id, clerk)
    expect((await on.look(second.code, clerk)).last_store).toEqual({
      id: on.shop.id,
      name: on.shop.name,
    })
  })
})

describe('taking back', () => {
  it('takes the hand-over back first, and then the redemption', async () => {
    const { id, code, batch } = await on.won()
    await on.handOver(id)
    expect((await on.undo(id)).status).toBe(200)
    expect((await on.look(code)).goods).toMatchObject({ state: 'waiting', at: null })
    expect((await on.undo(id)).status).toBe(200)
    expect(await on.look(code)).toMatchObject({ result: 'ok', goods: null })
    const [taken] = await on.database.db
      .select()
      .from(redeem_log)
      .where(eq(redeem_log.batch_id, batch.id))
    expect(taken).toMatchObject({ handed_at: null })
    expect(taken!.revoked_at).not.toBeNull()
  })
  it('is otherwise refused by 409 once the prize was handed over', async () => {
    const { id } = await on.won()
    await on.handOver(id)
    const { id: log_id, version } = await on.success(id)
    const revoked = await on.call(redeemLogs.revoke, {
      id: log_id,
      version,
      reopen: true,
      reason: '客诉',
    })
    expect([revoked.status, revoked.data.rule]).toEqual([409, 'handed_over'])
    expect(revoked.message).toContain('不能撤销')
    expect((await on.undo(id, on.other)).data.rule).toBe('handed_over')
    await on.database.db
      .update(redeem_log)
      .set({ handed_at: unixNow() - UNDO_S - 60 })
      .where(eq(redeem_log.id, log_id))
    expect((await on.undo(id)).status).toBe(409)
    expect((await on.success(id)).handed_by).toBe(on.clerk.id)
  })
})
