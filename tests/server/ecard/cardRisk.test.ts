import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_try } from '#src/areas/ecard/code.table.ts'
import {
  activateCode,
  freezeCodes,
  holdCodes,
  sellCodes,
  spendCode,
} from '#src/areas/ecard/codeLife.server.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { measureRule } from '#src/areas/risk/risk.server.ts'
import { risk_hit, risk_list, risk_rule } from '#src/areas/risk/risk.table.ts'
import type { RiskMetric } from '#src/areas/risk/risk.ts'
import { DAY, HOUR, dayStart, unixNow } from '#src/domain/time.ts'
import { cardRisk as calls } from '#src/modules/ecard/contract/risk.ts'
import { risk as system } from '#src/modules/system/contract/risk.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { codeRow, facedCard, orderNo, sealerFor } from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let [me, other]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;[me, other] = await Promise.all([1, 2].map(() => addStaff(database, { perms: ['*'] })))
})
const now = unixNow()
const reason = '测试原因'
const call = (what: What, input: object, by = me!) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = me!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = me!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
const people = async (n: number) => (await membersOf(database, n)).map(one => one.id)
/** An e-card order like another one of the demo, paid by that member at that time. */
const paidOrder = async (member_id: number, paid_at: number): Promise<number> => {
  const id = orderNo()
  const columns = await database.db.execute<{ t: string; name: string }>(
    sql`select table_name t, column_name "name" from information_schema.columns where table_schema = 'public' and table_name in ('order', 'order_item') and is_generated = 'NEVER'`,
  )
  const plant = (table: string, more: object, where: ReturnType<typeof sql>) => {
    const names = sql.join(
      columns.rows.filter(row => row.t === table).map(row => sql.identifier(row.name)),
      sql`, `,
    )
    return database.db.execute(
      sql`insert into ${sql.identifier(table)} (${names}) select ${names} from (select (jsonb_populate_record(null::${sql.identifier(table)}, to_jsonb(t) || ${JSON.stringify(more)}::jsonb)).* from ${sql.identifier(table)} t where ${where} order by t.id limit 1) one`,
    )
  }
  const like = sql`(select min(id) from "order" where kind = 'ecard' and paid_at is not null)`
  const order = { id, order_no: `CR${id}`, member_id, paid_at, created_at: paid_at }
  await plant('order', order, sql`t.id = ${like}`)
  await plant('order_item', { id, order_id: id, qty: 2 }, sql`t.order_id = ${like}`)
  return id
}
/** A card of an order, bound by that member. */
const boundCard = async (order_id: number, member_id: number, at: number): Promise<number> => {
  const { face } = await facedCard(database, { source: 'generate' })
  const sealer = await sealerFor(database)
  return database.transaction(async tx => {
    await holdCodes(tx, sealer, { attr_id: face.id, n: 1, order_id, now: at })
    const [code] = await sellCodes(tx, order_id, at)
    await activateCode(tx, { code_id: code!.id, member_id, now: at })
    return code!.id
  })
}
const measured = async (metric: RiskMetric, threshold: number, window_s = DAY) =>
  measureRule(
    database.db,
    { scene: 'ecard', condition: { metric }, threshold, window_s },
    now - 3 * DAY,
    now + DAY,
  )
const hitOf = async (of: Partial<typeof risk_hit.$inferInsert>) => {
  const [row] = await database.db
    .insert(risk_hit)
    .values({
      domain: 'ecard',
      rule: 'card_payers',
      scene: 'ecard',
      level: 'mid',
      score: 70,
      city_id: 1,
      note: '测试命中',
      state: 'open',
      hit_at: now,
      last_at: now,
      ...of,
    })
    .returning()
  return row!
}
const hit = async (id: number) =>
  (await database.db.select().from(risk_hit).where(eq(risk_hit.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await hit(id)).version })

describe('what is measured', () => {
  it('cards of one payer, and those bought at night', async () => {
    const [day, night] = (await people(2)) as [number, number]
    const noon = dayStart(now) - DAY + 12 * HOUR
    await paidOrder(day, noon)
    await paidOrder(day, noon + 60)
    await paidOrder(night, dayStart(now) - DAY + 2 * HOUR)
    const bought = await measured('cards_bought', 4)
    expect(bought.filter(one => one.member_id === day)).toEqual([
      expect.objectContaining({ value: 4 }),
    ])
    expect(bought.some(one => one.member_id === night)).toBe(false)
    const late = await measured('card_night', 2)
    expect(late.some(one => one.member_id === night)).toBe(true)
    expect(late.some(one => one.member_id === day)).toBe(false)
  })
  it('payers of one holder, each once', async () => {
    const [holder, a, b] = (await people(3)) as [number, number, number]
    for (const payer of [a, a, b])
      await boundCard(await paidOrder(payer, now - HOUR), holder, now - HOUR)
    const found = await measured('card_payers', 2)
    expect(found.filter(one => one.member_id === holder).at(-1)).toMatchObject({ value: 2 })
    expect((await measured('card_payers', 3)).some(one => one.member_id === holder)).toBe(false)
  })
  it('cards spent within the hour of their sale', async () => {
    const [holder] = (await people(1)) as [number]
    const spend = async (after: number) => {
      const id = await boundCard(orderNo(), holder, now - 2 * HOUR)
      const ref = { type: 'test', id }
      await database.transaction(tx =>
        spendCode(tx, { code_id: id, amount_cents: 100, ref, now: now - 2 * HOUR + after }),
      )
    }
    await spend(600)
    await spend(1200)
    await spend(HOUR)
    const found = await measured('card_cashed', 2)
    expect(found.filter(one => one.member_id === holder)).toEqual([
      expect.objectContaining({ value: 2 }),
    ])
  })
  it('wrong secrets of an address', async () => {
    const ip = `10.88.77.7`
    await database.db.insert(ecard_try).values(
      Array.from({ length: 12 }, (_, n) => ({
        created_at: now - 600 + n,
        card_no: `G${n}`,
        ip,
        result: n < 9 ? ('wrong' as const) : ('locked' as const),
      })),
    )
    const mine = async (n: number) =>
      (await measured('card_guesses', n, HOUR)).filter(one => one.subject === ip)
    expect(await mine(9)).toHaveLength(1)
    expect(await mine(10)).toEqual([])
  })
})

describe('a hit', () => {
  const carded = async () => {
    const [payer, holder] = (await people(2)) as [number, number]
    const order_id = await paidOrder(payer, now - HOUR)
    const first = await boundCard(order_id, holder, now - HOUR)
    const second = await boundCard(orderNo(), holder, now - HOUR)
    const row = await hitOf({ member_id: holder, order_ids: [order_id], code_ids: [second] })
    return { id: row.id, first, second, payer, holder }
  }
  it('is shown with its cards, who paid and who holds them', async () => {
    const { id, first, second, payer, holder } = await carded()
    const { list } = await done(calls.lst, { keyword: String(holder) })
    expect(list).toEqual([expect.objectContaining({ id, cards: 2, frozen_cards: 0 })])
    const { nodes, links, cards } = await done(calls.detail, { id })
    expect(cards.map((card: { id: number }) => card.id)).toEqual([first, second])
    const ids = nodes.map((node: { id: string }) => node.id)
    expect(ids).toEqual(
      expect.arrayContaining([`payer:${payer}`, `card:${first}`, `holder:${holder}`]),
    )
    for (const { from, to } of links as { from: string; to: string }[]) {
      expect(ids).toContain(from)
      expect(ids).toContain(to)
    }
    // The same hit stands in the risk control centre.
    const there = await done(system.lst, { keyword: String(holder), scene: 'ecard' })
    expect(there.list.map((row: { id: number }) => row.id)).toEqual([id])
  })
  it('freezes what is left in one step, and its release sets free only that', async () => {
    const { id, first, second } = await carded()
    const by = { admin_id: me!.id, reason: '会员挂失', now }
    await database.transaction(tx => freezeCodes(tx, eq(ecard_code.id, first), by))
    expect(await done(calls.freezeCards, { ...(await held(id)), reason })).toMatchObject({
      frozen: 1,
      left: 1,
    })
    expect(await codeRow(database, second)).toMatchObject({
      state: 'frozen',
      balance_cents: 100_00,
    })
    expect(await rule(calls.freezeCards, { ...(await held(id)), reason })).toBe('nothing_to_freeze')
    expect(await done(calls.release, { ...(await held(id)), reason })).toMatchObject({
      unfrozen: 1,
    })
    expect(await codeRow(database, second)).toMatchObject({ state: 'active', frozen_at: null })
    expect(await codeRow(database, first)).toMatchObject({ state: 'frozen', reason: '会员挂失' })
  })
  it('leaves a card frozen that somebody else froze since', async () => {
    const { id, second } = await carded()
    await done(calls.freezeCards, { ...(await held(id)), code_ids: [second], reason })
    const mine = eq(ecard_code.id, second)
    await database.db.update(ecard_code).set({ reason: '公安协查' }).where(mine)
    await done(calls.release, { ...(await held(id)), reason })
    expect(await codeRow(database, second)).toMatchObject({ state: 'frozen', reason: '公安协查' })
  })
  it('is claimed by one and decided once; of two at once one wins', async () => {
    const { id } = await carded()
    await done(calls.claim, { id })
    expect(await rule(calls.claim, { id }, other!)).toBe('claimed')
    const one = await held(id)
    const both = await Promise.all([
      call(calls.confirm, { ...one, reason }),
      call(calls.release, { ...one, reason }),
    ])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 422])
    expect(await rule(calls.release, { ...(await held(id)), reason })).toBe('decided')
  })
  it('bans its buyer and its device, and nobody else', async () => {
    const { id, holder } = await carded()
    const [stranger] = (await people(1)) as [number]
    const ban = async (member_id: number) => ({ ...(await held(id)), member_id, days: 7, reason })
    expect(await rule(calls.banBuyer, await ban(stranger))).toBe('unrelated')
    expect((await done(calls.banBuyer, await ban(holder))).until_at).toBeGreaterThan(now + 6 * DAY)
    const device = `dev-Q${id}`
    await database.db.update(risk_hit).set({ device_id: device }).where(eq(risk_hit.id, id))
    expect(await rule(calls.banDevice, { ...(await held(id)), device: 'other', reason })).toBe(
      'unrelated',
    )
    await done(calls.banDevice, { ...(await held(id)), device, reason })
    const listed = await database.db
      .select()
      .from(risk_list)
      .where(and(eq(risk_list.type, 'device'), eq(risk_list.value, device)))
    expect(listed).toEqual([expect.objectContaining({ list: 'black', status: 'on' })])
  })
  it('is reported once, and the report stays as it was made', async () => {
    const { id, second } = await carded()
    const { no } = await done(calls.fileReport, { ...(await held(id)), reason })
    const before = (await done(calls.detail, { id })).report
    expect(before).toMatchObject({ no, reason })
    await done(calls.freezeCards, { ...(await held(id)), code_ids: [second], reason })
    expect((await done(calls.detail, { id })).report).toEqual(before)
    expect(await rule(calls.fileReport, { ...(await held(id)), reason })).toBe('reported')
    const log = await database.db.select().from(op_log).where(eq(op_log.object_id, id))
    expect(log.some(row => (row.after as { report?: string } | null)?.report === no)).toBe(true)
  })
  it('of another scene is none of this page', async () => {
    const { id } = await hitOf({ scene: 'order', domain: 'platform' })
    expect((await call(calls.detail, { id })).status).toBe(404)
    for (const what of [calls.freezeCards, calls.release, calls.fileReport])
      expect((await call(what, { ...(await held(id)), reason })).status).toBe(404)
  })
})

describe('a rule', () => {
  it('of e-cards alone is adjusted and turned on and off here; its open hits stay', async () => {
    const insert = async (scene: 'ecard' | 'order', metric: RiskMetric) => {
      const values = {
        name: `规则${orderNo()}`,
        scene,
        condition: { metric },
        threshold: 3,
        window_s: DAY,
        action: 'mark' as const,
        status: 'on' as const,
      }
      return (await database.db.insert(risk_rule).values(values).returning())[0]!
    }
    const own = await insert('ecard', 'card_cashed')
    const foreign = await insert('order', 'member_orders')
    const open = await hitOf({ rule_id: own.id })
    const set = { threshold: 5, window_s: 2 * DAY, action: 'mark' }
    const one = { id: own.id, version: own.version }
    expect(await done(calls.saveRule, { ...one, ...set })).toMatchObject({ status: 'draft' })
    expect(await hit(open.id)).toMatchObject({ state: 'open' })
    expect((await call(calls.saveRule, { ...one, ...set })).status).toBe(409)
    const on = await done(calls.toggleRule, { id: own.id, version: one.version + 1, reason })
    expect(on).toMatchObject({ status: 'on' })
    const off = await done(calls.toggleRule, { id: own.id, version: on.version, reason })
    expect(off).toMatchObject({ status: 'off' })
    const bad = { id: own.id, version: off.version, ...set, threshold: 1 }
    expect((await call(calls.saveRule, bad)).status).toBe(400)
    const alien = { id: foreign.id, version: foreign.version }
    expect((await call(calls.saveRule, { ...alien, ...set })).status).toBe(404)
    expect((await call(calls.toggleRule, { ...alien, reason })).status).toBe(404)
  })
})
