import { and, eq, ne } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_move, ecard_request } from '#src/areas/ecard/cardOrder.table.ts'
import { activateCode, spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { returnGift, sendGift } from '#src/areas/ecard/gifts.server.ts'
import type { SupplierAnswer, SupplierChannel } from '#src/areas/ecard/supplier.channel.ts'
import { sendRequests } from '#src/areas/ecard/supplier.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { unjoined } from '#src/domain/text.ts'
import { DAY, HOUR, unixNow } from '#src/domain/time.ts'
import {
  ecardOrder as calls,
  ecardOrderDetail as detail,
  type CardsOfOrder,
} from '#src/modules/order/contract/ecard.ts'
import type { OrderRow } from '#src/modules/order/contract/orderRow.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, seesNumbers, send } from '../../help/app.ts'
import { aBuyer, aSold, buyCards, codesOf, orderCards, orderOf } from '../../help/cardOrders.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { broken } from '../../help/invariants.ts'
import { finishPayouts } from '../../help/orders.ts'

let database: Database
let app: App
let sealer: Sealer
let me: Awaited<ReturnType<typeof addStaff>>
let other: typeof me
let blind: typeof me
/** What the supplier says of what it is told to issue, and of what it is asked for. */
const says: Record<'issue' | 'query', (out_no: string) => SupplierAnswer> = {
  issue: () => ({ state: 'failed', text: '供应商库存不足' }),
  query: () => ({ state: 'failed', text: '无此单' }),
}
const supplier: SupplierChannel = {
  name: 'embedded',
  issue: async ({ out_no }) => says.issue(out_no),
  query: async ({ out_no }) => says.query(out_no),
}
const good = (out_no: string): SupplierAnswer => ({
  state: 'success',
  supplier_no: 'S1',
  card_no: `${out_no}`.slice(-24),
  secret: `K${out_no}`,
})
const refused = (): SupplierAnswer => ({ state: 'failed', text: '供应商库存不足' })
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { supplier })
  sealer = await sealerFor(database)
  const role = { refund_limit_cents: 1_000_000_00, field_rules: seesNumbers }
  me = await addStaff(database, { perms: ['*'], role })
  other = await addStaff(database, { perms: ['*'], role })
  blind = await addStaff(database, { perms: ['ecard.order.view'] })
})
const call = (what: Parameters<typeof send>[1], input: object, token = me.token) =>
  send(app, what, input, { token })
const told = async (what: Parameters<typeof send>[1], input: object, token?: string) => {
  const { status, message, data } = await call(what, input, token)
  expect([status, message]).toEqual([200, expect.any(String)])
  return data
}
const ruleOf = async (what: Parameters<typeof send>[1], input: object, token?: string) => {
  const said = await call(what, input, token)
  return said.data?.rule ?? said.status
}
/** Asks the supplier for what is due, and for nothing that others left. */
const supply = async (order_id: number) => {
  await database.db
    .update(ecard_request)
    .set({ ask_at: unixNow() + 900_000_000 })
    .where(and(eq(ecard_request.state, 'pending'), ne(ecard_request.order_id, order_id)))
  await sendRequests({ database, supplier, sealer: async () => sealer, now: unixNow() + 1 })
}
const bought = async (n = 1, more: Parameters<typeof aSold>[1] = {}) => {
  const { face, card } = await aSold(database, more)
  const buyer = await aBuyer(database)
  const row = await buyCards(database, { attr_id: face.id, n, buyer: { member_id: buyer.id } })
  return { row, buyer, face, card, codes: await codesOf(database, row.id) }
}
const found = async (filters: object, token?: string): Promise<number[]> =>
  (await told(calls.lst, { ...filters, pageSize: 100 }, token)).list.map((one: OrderRow) => one.id)
const rowNow = async (id: number): Promise<OrderRow> => (await told(calls.detail, { id })).order
const cardsNow = (id: number): Promise<CardsOfOrder> => told(detail.cards, { id })
const logOf = (id: number) => database.db.select().from(order_log).where(eq(order_log.order_id, id))
const eventsOf = async (id: number) => (await logOf(id)).map(one => one.event)

describe('the list', () => {
  it('finds an order by its number, a phone or its end, a card’s name, number and secret', async () => {
    const { row, buyer, card, codes } = await bought()
    const { secret } = await (async () => {
      const [code] = await database.db
        .select()
        .from(ecard_code)
        .where(eq(ecard_code.id, codes[0]!.id))
      return { secret: sealer.open(code!.secret_enc, code!.secret_hash) }
    })()
    for (const filters of [
      { q: row.order_no },
      { q: buyer.phone },
      { q: card.name },
      { card_code: codes[0]!.card_no },
      { card_code: ` ${secret.toLowerCase()} ` },
      { card_id: card.id },
    ])
      expect(await found(filters)).toEqual([row.id])
    expect(await found({ q: buyer.phone!.slice(-4) })).toContain(row.id)
    expect(await found({ card_code: secret.slice(0, -1) })).toEqual([])
    expect(await ruleOf(calls.lst, { card_code: '12' })).toBe(400)
  })
  it('counts who looks a secret up without seeing it', async () => {
    const { codes } = await bought()
    await found({ card_code: codes[0]!.card_no }, blind.token)
    const finds = await database.db.select().from(op_log).where(eq(op_log.admin_id, blind.id))
    expect(finds.filter(one => one.action === 'find')).toHaveLength(1)
  })
  it('its tabs add up to the total of the same filter', async () => {
    const { buyer, face } = await bought(2)
    await orderCards(database, { attr_id: face.id, n: 1, buyer: { member_id: buyer.id } })
    for (const filters of [{}, { q: buyer.phone }, { quick: 'big_buyers' }]) {
      const counts: Record<string, number> = await told(calls.counts, filters)
      const { all, ...tabs } = counts
      expect(Object.values(tabs).reduce((sum, n) => sum + n, 0)).toBe(all)
      expect((await told(calls.lst, filters)).total).toBe(all)
    }
  })
  it('refuses a period beyond 186 days, and answers not found beyond one’s scope', async () => {
    const now = unixNow()
    expect(await ruleOf(calls.lst, { from: now - 187 * DAY, to: now })).toBe(400)
    expect(await ruleOf(calls.lst, { from: now - 186 * DAY, to: now })).toBe(200)
    const { row } = await bought()
    const far = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [row.city_id === 1 ? 2 : 1] },
    })
    for (const [what, input] of [
      [calls.detail, { id: row.id }],
      [detail.cards, { id: row.id }],
      [calls.recallGift, { id: row.id, reason: '测试' }],
      [calls.freezeCards, { id: row.id, reason: '测试' }],
      [calls.refund, { id: row.id, version: row.version, reason: '测试' }],
    ] as const)
      expect(await ruleOf(what, input, far.token)).toBe(404)
    expect(await found({ q: row.order_no }, far.token)).toEqual([])
  })
  it('knows failed issues, gifts that nobody took, and big buyers', async () => {
    const failed = (await bought(2, { source: 'api', supplier: 'fulu' })).row
    says.issue = out_no => (out_no.endsWith('-2-1') ? refused() : good(out_no))
    await supply(failed.id)
    const { row, buyer, codes } = await bought(2)
    const gift = await database.transaction(tx =>
      sendGift(tx, { code_id: codes[0]!.id, from_id: buyer.id, now: unixNow() - 25 * HOUR }),
    )
    const given = (await logOf(row.id)).find(one => one.event === 'gift')
    const tail = codes[0]!.card_no.slice(-4)
    expect(unjoined(given!.memo)).toEqual([`赠出尾号 ${tail}`, `Card …${tail} is given away`])
    const ids = await found({ quick: 'issue_failed' })
    expect([ids.includes(failed.id), ids.includes(row.id)]).toEqual([true, false])
    expect(await found({ quick: 'gift_unclaimed' })).toContain(row.id)
    await database.transaction(tx => returnGift(tx, gift.id, unixNow()))
    expect(await found({ quick: 'gift_unclaimed' })).toContain(row.id)
    const dear = await aSold(database, {}, { face_cents: 100_000, price_cents: 100_000 })
    const two = await Promise.all([9, 1].map(() => aBuyer(database)))
    const identity = { kind: 'person', name: '陈晓', id_no: '11010519491231002X' } as const
    const of = (n: number, member_id: number) =>
      buyCards(database, { attr_id: dear.face.id, n, buyer: { member_id }, identity })
    const [big, small] = [await of(10, two[0]!.id), await of(9, two[1]!.id)]
    const bigs = await found({ quick: 'big_buyers' })
    expect([bigs.includes(big.id), bigs.includes(small.id)]).toEqual([true, false])
    const shown = await rowNow(failed.id)
    expect([shown.cards!.issued, shown.cards!.failed, shown.left_cents]).toEqual([1, 1, 200_00])
  })
})

describe('what staff do', () => {
  it('issues failed cards again once, and asks for the old request first', async () => {
    says.issue = refused
    const { row } = await bought(2, { source: 'api', supplier: 'fulu' })
    await supply(row.id)
    const now = await orderOf(database, row.id)
    const input = { id: row.id, version: now.version, reason: '供应商已补货' }
    says.query = () => ({ state: 'unknown', text: '' })
    expect(await ruleOf(calls.reissue, input)).toBe('supplier_silent')
    says.query = out_no => (out_no.includes('-1-1') ? good(out_no) : refused())
    expect(await told(calls.reissue, input)).toMatchObject({ asked: 1, issued: 1 })
    says.query = refused
    expect(await ruleOf(calls.reissue, input)).toBe('stale')
    const again = await orderOf(database, row.id)
    expect(await ruleOf(calls.reissue, { ...input, version: again.version })).toBe('not_reissue')
    const all = await database.db
      .select()
      .from(ecard_request)
      .where(eq(ecard_request.order_id, row.id))
    expect(all.map(one => `${one.unit} ${one.state}`).toSorted()).toEqual([
      '1 success',
      '2 failed',
      '2 pending',
    ])
  })
  it('refunds chosen cards at their share, and only those nobody has had', async () => {
    const { row, codes, buyer } = await bought(3)
    await database.transaction(tx =>
      activateCode(tx, { code_id: codes[2]!.id, member_id: buyer.id, now: unixNow() }),
    )
    const input = { id: row.id, version: row.version, reason: '买错了' }
    expect(await ruleOf(calls.refund, { ...input, code_ids: [codes[2]!.id] })).toBe('card_kept')
    const foreign = (await bought()).codes[0]!.id
    expect(await ruleOf(calls.refund, { ...input, code_ids: [foreign] })).toBe(404)
    const made = await told(calls.refund, { ...input, code_ids: [codes[0]!.id] })
    expect(made.amount_cents).toBe(100_00)
    await finishPayouts(database, unixNow())
    const after = await rowNow(row.id)
    expect([after.refunded_cents, after.cards!.givable, after.left_cents]).toEqual([
      100_00, 1, 100_00,
    ])
    const all = await told(calls.refund, { ...input, version: after.version })
    expect(all.amount_cents).toBe(100_00)
    await finishPayouts(database, unixNow())
    expect((await cardsNow(row.id)).cards.map(one => one.state)).toEqual([
      'refunded',
      'refunded',
      'active',
    ])
  })
  it('freezes what can be, says who and why, and unfreezes it', async () => {
    const { row, codes } = await bought(2)
    await told(calls.freezeCards, { id: row.id, code_ids: [codes[0]!.id], reason: '持卡人报失' })
    const [first, second] = (await cardsNow(row.id)).cards
    expect([first!.state, first!.reason, first!.frozen_by, second!.state]).toEqual([
      'frozen',
      '持卡人报失',
      me.account,
      'sold',
    ])
    expect((await rowNow(row.id)).cards).toMatchObject({ frozen: 1, givable: 1 })
    expect(
      await ruleOf(calls.unfreezeCards, {
        id: row.id,
        code_ids: [codes[1]!.id],
        reason: '已核实',
      }),
    ).toBe('not_unfreezeCards')
    await told(calls.unfreezeCards, { id: row.id, reason: '已核实' })
    expect((await cardsNow(row.id)).cards.map(one => one.state)).toEqual(['sold', 'sold'])
    expect(await eventsOf(row.id)).toEqual(
      expect.arrayContaining(['cards_freeze', 'cards_unfreeze']),
    )
  })
  it('recalls a gift that is on its way, and none that was taken', async () => {
    const { row, codes, buyer } = await bought()
    expect(await ruleOf(calls.recallGift, { id: row.id, reason: '误赠' })).toBe('no_gift')
    await database.transaction(tx =>
      sendGift(tx, { code_id: codes[0]!.id, from_id: buyer.id, now: unixNow() }),
    )
    expect((await rowNow(row.id)).cards!.gifts_sent).toBe(1)
    expect(await told(calls.recallGift, { id: row.id, reason: '误赠' })).toMatchObject({
      recalled: 1,
    })
    const { list: gifts } = await told(detail.gifts, { id: row.id })
    expect(gifts).toMatchObject([{ state: 'returned', why: '误赠' }])
  })
  it('sends the notice again three times a day at most, and enters an invoice once', async () => {
    const { face } = await aSold(database)
    const buyer = await aBuyer(database)
    const row = await buyCards(database, {
      attr_id: face.id,
      n: 1,
      buyer: { member_id: buyer.id },
      invoice: { kind: 'person', title: '陈晓' },
    })
    for (let at = 0; at < 3; at++) await told(calls.resendNotice, { id: row.id })
    expect(await ruleOf(calls.resendNotice, { id: row.id })).toBe('too_often')
    const input = { id: row.id, version: row.version, no: '12345678' }
    expect(await told(calls.invoice, input)).toMatchObject({ amount_cents: 100_00 })
    expect((await rowNow(row.id)).cards!.invoice).toBe('issued')
    const { version } = await orderOf(database, row.id)
    expect(await ruleOf(calls.invoice, { ...input, version })).toBe('no_invoice')
  })
  it('closes what nobody paid, and frees its codes', async () => {
    const { face } = await aSold(database)
    const { id: member_id } = await aBuyer(database)
    const row = await orderCards(database, { attr_id: face.id, n: 2, buyer: { member_id } })
    await told(calls.cancel, { id: row.id, version: row.version, reason: '买家要求' })
    expect(await codesOf(database, row.id)).toEqual([])
  })
})

describe('one order', () => {
  it('shows each card’s money as a sum that adds up', async () => {
    const { row, codes, buyer } = await bought()
    const code_id = codes[0]!.id
    await database.transaction(tx =>
      activateCode(tx, { code_id, member_id: buyer.id, now: unixNow() }),
    )
    for (const [id, amount_cents] of [
      [1, 30_00],
      [2, 25_50],
    ] as const)
      await database.transaction(tx =>
        spendCode(tx, { code_id, amount_cents, ref: { type: 'test', id }, now: unixNow() }),
      )
    const [card] = (await cardsNow(row.id)).cards
    const spent = card!.moves
      .filter(one => one.type === 'spend')
      .reduce((sum, one) => sum - one.amount_cents, 0)
    expect([spent, card!.spent_cents, card!.balance_cents]).toEqual([55_50, 55_50, 44_50])
    expect(card!.spent_cents + card!.balance_cents).toBe(card!.face_cents)
    expect((await rowNow(row.id)).cards).toMatchObject({ spent_cents: 55_50, balance_cents: 44_50 })
  })
  it('a secret that is shown ends its card’s refund', async () => {
    const { row, codes } = await bought(2)
    const input = { id: row.id, code_id: codes[0]!.id, reason: '用户投诉卡密为空' }
    const shown = await told(detail.revealSecret, input)
    expect(shown.code).toMatch(/^[0-9A-Z]{16}$/)
    const [card] = (await cardsNow(row.id)).cards
    expect([card!.shown_at === null, card!.kept !== null]).toEqual([false, true])
    expect(
      await ruleOf(calls.refund, {
        id: row.id,
        version: row.version,
        code_ids: [codes[0]!.id],
        reason: '退',
      }),
    ).toBe(400)
    expect(
      await ruleOf(calls.refund, {
        id: row.id,
        version: row.version,
        code_ids: [codes[0]!.id],
        reason: '退款',
      }),
    ).toBe('card_kept')
    const foreign = (await bought()).codes[0]!.id
    expect(await ruleOf(detail.revealSecret, { ...input, code_id: foreign })).toBe(404)
    await told(calls.refund, {
      id: row.id,
      version: row.version,
      code_ids: [codes[1]!.id],
      reason: '退款',
    })
    expect(await ruleOf(detail.revealSecret, { ...input, code_id: codes[1]!.id })).toBe('code_show')
    const logged = await database.db.select().from(op_log).where(eq(op_log.object_id, row.id))
    expect(JSON.stringify(logged)).not.toContain(shown.code)
  })
  it('a validity only becomes longer', async () => {
    const { row, codes } = await bought(1, {
      valid_type: 'fixed',
      valid_until: unixNow() + 1200 * DAY,
    })
    const input = { id: row.id, code_ids: [codes[0]!.id], reason: '门店装修' }
    const last = codes[0]!.valid_until!
    expect(await ruleOf(detail.extend, { ...input, until: last - 1 })).toBe('earlier_end')
    await told(detail.extend, { ...input, until: last + 90 * DAY })
    expect((await cardsNow(row.id)).cards[0]!.valid_until).toBe(last + 90 * DAY)
  })
  it('another holder needs another person’s word, and both phones are noted', async () => {
    const { row, codes, buyer } = await bought()
    const to = await aBuyer(database)
    const ask = { id: row.id, code_id: codes[0]!.id, member_id: to.id, reason: '更换账号' }
    expect(await ruleOf(detail.moveHolder, ask)).toBe('code_move')
    await database.transaction(tx =>
      activateCode(tx, { code_id: codes[0]!.id, member_id: buyer.id, now: unixNow() }),
    )
    const { move_id } = await told(detail.moveHolder, ask)
    expect(await ruleOf(detail.moveHolder, ask)).toBe('move_asked')
    expect((await rowNow(row.id)).cards!.move).toMatchObject({ id: move_id, first_by: me.id })
    const word = { id: row.id, move_id, reason: '已电话核实双方' }
    expect(await ruleOf(detail.confirmMove, word)).toBe('second_person')
    const said = await Promise.all([
      ruleOf(detail.confirmMove, word, other.token),
      ruleOf(detail.refuseMove, word, other.token),
    ])
    expect(said.filter(one => one === 200)).toHaveLength(1)
    expect(said.filter(one => one === 'stale')).toHaveLength(1)
    const [kept] = await database.db.select().from(ecard_move).where(eq(ecard_move.id, move_id))
    expect([kept!.from_phone, kept!.to_phone]).toEqual([buyer.phone, to.phone])
    const [card] = (await cardsNow(row.id)).cards
    expect(card!.holder!.id).toBe(kept!.state === 'done' ? to.id : buyer.id)
    await database.db.update(member).set({ phone: '15900000000' }).where(eq(member.id, to.id))
    expect((await told(detail.moves, { id: row.id })).list[0].to_phone).toBe(to.phone)
  })
  it('keeps what is sealed sealed: no answer of either page has a secret', async () => {
    const { row, codes } = await bought()
    const secret = sealer.open(codes[0]!.secret_enc, codes[0]!.secret_hash)
    const parts = [detail.cards, detail.gifts, detail.moves]
    for (const one of [calls.detail, ...parts])
      expect((await call(one, { id: row.id })).text).not.toContain(secret)
    expect((await call(calls.lst, { q: row.order_no })).text).not.toContain(secret)
    expect((await call(calls.cards, { order_id: row.id })).text).not.toContain(secret)
    const asBlind = await call(calls.detail, { id: row.id }, blind.token)
    expect(asBlind.http).toBe(200)
    for (const one of parts) expect((await call(one, { id: row.id }, blind.token)).http).toBe(403)
  })
})
it('and nothing that must hold of orders is broken', async () => {
  expect(await broken(database)).toEqual({})
  expect(await database.db.$count(order, eq(order.kind, 'ecard'))).toBeGreaterThan(20)
})
