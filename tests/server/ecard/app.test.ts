import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_purchase } from '#src/areas/ecard/cardOrder.table.ts'
import { WRONG_CARD } from '#src/areas/ecard/code.ts'
import { spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { MOVES_A_PAGE } from '#src/areas/ecard/memberCards.ts'
import { buy_limit_log } from '#src/areas/limit/limit.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Result } from '#src/contract/call.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { cardApp as calls } from '#src/modules/ecard/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { addStaff } from '../../help/app.ts'
import { aSold, codesOf } from '../../help/cardOrders.ts'
import { aNumber, cardPhone } from '../../help/cardPhone.ts'
import { aFace } from '../../help/ecard.ts'
import { codeRow, freeCodes, orderNo } from '../../help/ecardCodes.ts'
import { broken } from '../../help/invariants.ts'
import { ruleOf } from '../../help/limits.ts'

let database: Database
let said: Awaited<ReturnType<typeof cardPhone>>['said']
let atPhone: Awaited<ReturnType<typeof cardPhone>>['atPhone']
let orderIdOf: Awaited<ReturnType<typeof cardPhone>>['orderIdOf']
let admin_id: number
beforeAll(async () => {
  ;({ database, said, atPhone, orderIdOf } = await cardPhone())
  admin_id = (await addStaff(database)).id
})
/** A card whose codes come from elsewhere, and run out. */
const imported = (of: Parameters<typeof aSold>[1] = {}) =>
  aSold(database, { type: 'secret', source: 'import', supplier: 'embedded', ...of })
const person = { kind: 'person', name: '陈晓', id_no: '11010519491231002X' } as const

describe('what is on sale', () => {
  it('is told page by page with its faces, and nothing else', async () => {
    const { card, face } = await aSold(database, { sort: -50, greetings: ['生日快乐'] })
    const off = await aFace(database, { card_id: card.id, face_cents: 50_00, status: 'off' })
    const hidden = [
      await aSold(database, { sort: -49, state: 'off' }),
      await aSold(database, { sort: -48, valid_type: 'fixed', valid_until: unixNow() + DAY }),
      await aSold(database, { sort: -47 }, { status: 'off' }),
    ]
    const few = await imported({ sort: -46 })
    await freeCodes(database, few, 3)
    const all: Result<typeof calls.onSale>['list'] = []
    for (let after: number | null | undefined; after !== null;) {
      const page = await said(calls.onSale, { ...(after !== undefined && { after }) })
      all.push(...page.list)
      after = page.next
    }
    const ids = all.map(one => one.id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.slice(0, 2)).toEqual([card.id, few.card.id])
    expect(ids.filter(id => hidden.some(one => one.card.id === id))).toEqual([])
    expect(all[0]!.faces).toEqual([
      {
        attr_id: face.id,
        face_cents: 100_00,
        bonus_cents: 0,
        price_cents: 100_00,
        limit_n: null,
        left: null,
      },
    ])
    expect(all[0]!.faces.map(one => one.attr_id)).not.toContain(off.id)
    expect([all[0]!.greetings, all[1]!.faces[0]!.left]).toEqual([['生日快乐'], 3])
  })
})

describe('a member buys cards at their phone', () => {
  it('once for each number of theirs, and asks how the order stands', async () => {
    const me = await atPhone()
    const { face } = await aSold(database)
    const asked = { buy_no: aNumber(), attr_id: face.id, n: 2 }
    const first = await me.ask(calls.buy, asked)
    expect(first).toMatchObject({ state: 'unpaid', why: '', pay_cents: 200_00 })
    expect(first.pay_until).toBeGreaterThan(unixNow())
    expect(await me.ask(calls.buy, asked)).toEqual(first)
    const other = await me.ask(calls.buy, { ...asked, n: 3 })
    expect([other.state, other.order_no, other.why === '']).toEqual(['refused', '', false])
    const { order_no } = first
    expect(await me.ask(calls.order, { order_no })).toMatchObject({
      state: 'unpaid',
      order: { status: 'pending_payment', issue: 'waiting', n: 2, ids: [] },
    })
    const id = await orderIdOf(order_no)
    await database.transaction(tx => payOrder(tx, id, unixNow()))
    const codes = (await codesOf(database, id)).map(one => one.id)
    expect(await me.ask(calls.order, { order_no })).toEqual({
      state: 'paid',
      order: {
        order_no,
        status: 'finished',
        issue: 'issued',
        n: 2,
        pay_cents: 200_00,
        refunded_cents: 0,
        pay_until: null,
        ids: codes,
      },
    })
    expect(await me.ask(calls.buy, asked)).toMatchObject({ state: 'paid', order_no })
    expect(await (await atPhone()).ask(calls.order, { order_no })).toEqual({
      state: 'none',
      order: null,
    })
  })
  it('of many at once under one number one order is placed', async () => {
    const me = await atPhone()
    const { face } = await aSold(database)
    const asked = { buy_no: aNumber(), attr_id: face.id, n: 1 }
    const all = await Promise.all(Array.from({ length: 8 }, () => me.ask(calls.buy, asked)))
    expect(new Set(all.map(one => `${one.state} ${one.order_no}`)).size).toBe(1)
    expect(await database.db.$count(order, eq(order.member_id, me.id))).toBe(1)
    expect(await database.db.$count(ecard_purchase, eq(ecard_purchase.member_id, me.id))).toBe(1)
  })
  it('and gives up what is not paid: its cards are free again', async () => {
    const me = await atPhone()
    const few = await imported()
    const ids = await freeCodes(database, few, 1)
    const { order_no } = await me.buy({ attr_id: few.face.id })
    const next = await (await atPhone()).buy({ attr_id: few.face.id })
    expect(next).toMatchObject({ state: 'sold_out', order_no: '' })
    expect((await (await atPhone()).ask(calls.cancel, { order_no })).state).toBe('none')
    expect(await me.ask(calls.cancel, { order_no })).toEqual({ state: 'closed', why: '' })
    expect(await me.ask(calls.cancel, { order_no })).toEqual({ state: 'closed', why: '' })
    expect((await codeRow(database, ids[0]!)).state).toBe('free')
    const paid = await me.bought({ attr_id: few.face.id })
    expect((await me.ask(calls.cancel, { order_no: paid.order_no })).state).toBe('paid')
  })
  it('of a face that they choose', async () => {
    const me = await atPhone()
    const { card } = await aSold(database, {
      custom_min_cents: 50_00,
      custom_max_cents: 1000_00,
      custom_step_cents: 50_00,
    })
    const ask = (face_cents: number) => me.buy({ card_id: card.id, face_cents })
    expect(await ask(350_00)).toMatchObject({ state: 'unpaid', pay_cents: 350_00 })
    expect((await ask(351_00)).state).toBe('off')
    expect((await me.buy({ card_id: card.id })).state).toBe('off')
  })
  it('and is told why not, with nothing left behind', async () => {
    const me = await atPhone()
    const states = async (input: object) => {
      const { state, why, order_no } = await me.buy(input)
      expect([order_no, why === ''], state).toEqual(['', false])
      return state
    }
    const off = await aSold(database, { state: 'off' })
    const limited = await aSold(database, { limits: { order: 1, day: null, person: null } })
    const named = await aSold(database, { named: true })
    expect([
      await states({ attr_id: off.face.id }),
      await states({ attr_id: 2_147_483_647 }),
      await states({ attr_id: limited.face.id, n: 2 }),
      await states({ attr_id: named.face.id }),
      await states({ attr_id: limited.face.id, art: 'none-of-its' }),
      await states({ attr_id: named.face.id, identity: { ...person, id_no: '1' } }),
    ]).toEqual(['off', 'off', 'limit', 'identity', 'refused', 'identity'])
    expect(await database.db.$count(order, eq(order.member_id, me.id))).toBe(0)
    expect((await me.buy({ attr_id: named.face.id, identity: person })).state).toBe('unpaid')
    const rows = await database.db
      .select()
      .from(buy_limit_log)
      .where(eq(buy_limit_log.member_id, me.id))
    expect(rows.map(row => [row.ecard_id, row.asked_n])).toEqual([[limited.card.id, 2]])
  })
  it('for another phone, whose limit is counted whoever buys', async () => {
    const [first, second] = [await atPhone(), await atPhone()]
    const { face, card } = await aSold(database)
    await ruleOf(database.db, {
      scope_kind: 'product',
      product_kind: 'ecard',
      scope_ids: [card.id],
      dimension: 'receiver',
      qty: 2,
    })
    const to = { attr_id: face.id, receiver_phone: '138 0041 7009' }
    expect((await first.buy({ ...to, n: 2 })).state).toBe('unpaid')
    expect((await second.buy(to)).state).toBe('limit')
    expect((await second.buy({ ...to, receiver_phone: '13800417010' })).state).toBe('unpaid')
    const [row] = await database.db
      .select()
      .from(buy_limit_log)
      .where(eq(buy_limit_log.member_id, second.id))
    expect(row).toMatchObject({ dimension: 'receiver', dim_value: '13800417009', bought_n: 2 })
  })
})

describe('a card of one’s own', () => {
  it('is activated, spent, and told with its money page by page', async () => {
    const me = await atPhone()
    const { face, card } = await aSold(database)
    const { ids } = await me.bought({ attr_id: face.id })
    const [id] = ids as [number]
    const { list } = await me.mine()
    expect(list).toMatchObject([{ id, card_id: card.id, state: 'sold', balance_cents: 0 }])
    const done = await me.ask(calls.activate, { id })
    expect(done).toMatchObject({
      state: 'active',
      why: '',
      card: { id, state: 'active', balance_cents: 100_00 },
    })
    expect((await me.ask(calls.activate, { id })).state).toBe('refused')
    const now = unixNow()
    for (let n = 0; n < MOVES_A_PAGE; n++)
      await database.transaction(tx =>
        spendCode(tx, {
          code_id: id,
          amount_cents: 100,
          ref: { type: 'order', id: orderNo() },
          now,
        }),
      )
    const page = await me.ask(calls.moves, { id })
    expect([page.card!.balance_cents, page.moves.length]).toEqual([50_00, MOVES_A_PAGE])
    expect(page.moves[0]).toMatchObject({ type: 'spend', amount_cents: -100 })
    const rest = await me.ask(calls.moves, { id, before: page.next })
    expect([rest.moves.map(one => one.type), rest.next]).toEqual([['activate'], null])
    const other = await atPhone()
    expect([await other.ask(calls.moves, { id }), (await other.mine()).list]).toEqual([
      { state: 'none', card: null, moves: [], next: null },
      [],
    ])
    expect(await broken(database)).toEqual({})
  })
  it('shows its secret, and is neither refunded nor given away from then on', async () => {
    const me = await atPhone()
    const { face } = await aSold(database)
    const { ids, id: order_id } = await me.bought({ attr_id: face.id, n: 2 })
    const [id, kept] = ids as [number, number]
    const shown = await me.ask(calls.show, { id })
    expect(shown).toMatchObject({ state: 'shown', why: '' })
    expect((await me.ask(calls.show, { id })).secret_code).toBe(shown.secret_code)
    const log = await database.db
      .select()
      .from(order_log)
      .where(and(eq(order_log.order_id, order_id), eq(order_log.event, 'secret_shown')))
    expect(log).toHaveLength(1)
    expect((await me.ask(calls.give, { id })).state).toBe('refused')
    const back = (code: number) =>
      database.transaction(tx =>
        openRefund(tx, {
          order_id,
          wanted: { cards: [code] },
          source: 'staff',
          reason: '测试退款',
          actor: { type: 'staff', id: admin_id },
          by: { id: admin_id, limit_cents: 100_000_000 },
          now: unixNow(),
        }),
      )
    await expect(back(id)).rejects.toThrow()
    await back(kept)
    expect((await me.ask(calls.show, { id: kept })).state).toBe('refused')
    // Whoever has its number and its secret binds it.
    const { card_no } = await codeRow(database, id)
    const friend = await atPhone()
    const typed = { card_no, secret: shown.secret_code.toLowerCase() }
    expect(await friend.ask(calls.bind, typed)).toMatchObject({ state: 'ok', card: { id } })
    expect((await me.mine()).list.map(one => one.id)).toEqual([kept])
    expect((await me.ask(calls.show, { id })).state).toBe('refused')
  })
  it('is bound by nobody who guesses', async () => {
    const me = await atPhone()
    const { ids } = await me.bought({ attr_id: (await aSold(database)).face.id })
    const { card_no } = await codeRow(database, ids[0]!)
    const guess = (number: string) => me.ask(calls.bind, { card_no: number, secret: 'WRONGWRONG' })
    const unknown = await guess('99999999999999999999')
    for (let n = 0; n < WRONG_CARD; n++) expect(await guess(card_no)).toEqual(unknown)
    expect(unknown).toMatchObject({ state: 'wrong', card: null })
    expect(await guess(card_no)).toMatchObject({ state: 'locked', card: null })
  })
  it('that is frozen or past its end says so', async () => {
    const me = await atPhone()
    const { ids } = await me.bought({ attr_id: (await aSold(database)).face.id, n: 2 })
    const [frozen, late] = ids as [number, number]
    await database.db
      .update(ecard_code)
      .set({ state: 'frozen', before_freeze: 'sold' })
      .where(eq(ecard_code.id, frozen))
    await database.db
      .update(ecard_code)
      .set({ valid_until: unixNow() - 1 })
      .where(eq(ecard_code.id, late))
    const list = (await me.mine()).list.map(one => [one.id, one.state])
    expect(list).toEqual([
      [late, 'expired'],
      [frozen, 'frozen'],
    ])
    for (const id of [frozen, late])
      for (const call of [calls.activate, calls.show, calls.give])
        expect((await me.ask(call, { id })).state).toBe('refused')
  })
})

it('is nobody without a ticket', async () => {
  const known = await database.db.select({ id: ecard.id }).from(ecard).limit(1)
  const inputs: Partial<Record<keyof typeof calls, object>> = {
    buy: { buy_no: aNumber(), attr_id: known[0]!.id, n: 1 },
    order: { order_no: 'EC00000000' },
    cancel: { order_no: 'EC00000000' },
    mine: {},
    moves: { id: 1 },
    activate: { id: 1 },
    bind: { card_no: '1', secret: '1' },
    show: { id: 1 },
    give: { id: 1 },
    takeBack: { id: 1 },
    receive: { token: 'x' },
  }
  for (const [name, input] of Object.entries(inputs))
    expect(
      await said(calls[name as keyof typeof calls], { ticket: 'x.y.z', ...input }),
    ).toMatchObject({ state: 'none' })
  expect(await said(calls.gift, { token: 'x' })).toEqual({ state: 'none', gift: null })
})
