import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ledgerOf, showSecret, spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { ledger_entry, ledger_txn } from '#src/areas/ledger/ledger.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { batchAdd, batchCopy } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches } from '#src/modules/redeemCode/contract/index.ts'
import { redeemLogs } from '#src/modules/redeemCode/contract/redeem.ts'
import { codeDesk } from '#src/modules/redeemCode/contract/vertify.ts'
import { onlyOn } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { facedCard, freeCodes, sealerFor, type Faced } from '../../help/ecardCodes.ts'
import { brokenBooks } from '../../help/ledgerInvariants.ts'
import { prizeBench } from '../../help/prizes.ts'
import { formOf, membersOf } from '../../help/redeem.ts'

const now = unixNow()
let on: Awaited<ReturnType<typeof prizeBench>>
/** A card whose codes are made as they are given. */
let made: Faced
beforeAll(async () => {
  on = await prizeBench()
  made = await facedCard(on.database, { source: 'generate' }, { face_cents: 50_00 })
})
const FACE = 50_00
const cards = (of: Parameters<typeof on.batch>[0] = {}) =>
  on.batch({
    goods: '',
    goods_cents: 0,
    ecard_attr_id: made.face.id,
    ecard_cents: FACE,
    ...of,
  })
const fields = (more: object = {}) => ({
  ...formOf(),
  points: 0,
  ecard_attr_id: made.face.id,
  budget_cents: 100 * FACE,
  ...more,
})
const imported = (face: Partial<typeof ecard_attr.$inferInsert> = {}) =>
  facedCard(on.database, { type: 'secret', supplier: 'embedded' }, { face_cents: FACE, ...face })
const someone = async () => (await membersOf(on.database))[0]!
type Member = Awaited<ReturnType<typeof someone>>
const redeem = async (code: string, { phone }: Member) => {
  const { id } = await on.look(code)
  return on.done(codeDesk.redeemFor, { id, phone, phone_tail: phone.slice(-4) })
}
/** A code of a batch, redeemed for a member, with the card that it gave. */
const redeemed = async (of: Parameters<typeof cards>[0] = {}) => {
  const who = await someone()
  const { codes, batch } = await cards(of)
  const said = await redeem(codes[0]!, who)
  expect(said.result, said.text).toBe('ok')
  return { who, code: codes[0]!, id: said.code.id as number, batch, card: await cardOf(who.id) }
}
const cardsOf = (member_id: number) =>
  on.database.db.select().from(ecard_code).where(eq(ecard_code.holder_id, member_id))
const cardOf = async (member_id: number) => (await cardsOf(member_id))[0]!
const faceOf = async (id: number) =>
  (await on.database.db.select().from(ecard_attr).where(eq(ecard_attr.id, id)))[0]!
const codeOf = async (id: number) =>
  (await on.database.db.select().from(redeem_code).where(eq(redeem_code.id, id)))[0]!
const postedOf = (code_id: number) =>
  on.database.db
    .select({ biz: ledger_txn.biz, no: ledger_txn.biz_no, cents: ledger_txn.amount_cents })
    .from(ledger_txn)
    .where(
      and(
        eq(ledger_txn.biz_id, code_id),
        sql`${ledger_txn.biz} in ('card_gift', 'card_gift_back')`,
      ),
    )
    .orderBy(ledger_txn.id)
const revoke = async (code_id: number, reopen = true) => {
  const { id, version } = await on.success(code_id)
  return on.call(redeemLogs.revoke, { id, version, reopen, reason: '误兑' })
}

describe('a batch of e-cards', () => {
  it('costs what a card is good for, says it and is found by it', async () => {
    const { id } = await on.done(batchAdd.submit, fields())
    const row = await on.done(codeBatches.detail, { id })
    expect(row).toMatchObject({
      ecard_attr_id: made.face.id,
      ecard_cents: FACE,
      unit_cost_cents: FACE,
      worst_cents: 100 * FACE,
      card: { name: made.card.name, face_cents: FACE, ended: false },
    })
    const found = await on.done(codeBatches.lst, {
      reward: 'card',
      keyword: row.prefix,
      page: 1,
      pageSize: 10,
    })
    expect(found.list.map((one: { id: number }) => one.id)).toEqual([id])
    const asked = { quantity: 10, points: 0, ecard_attr_id: made.face.id }
    expect(await on.done(batchAdd.estimate, asked)).toMatchObject({
      unit_cents: FACE,
      worst_cents: 10 * FACE,
      card: { name: made.card.name, cost_cents: FACE, left: null, fault: '' },
    })
  })
  it('costs what its supplier asks for one that was bought in, as it did when submitted', async () => {
    const own = await imported({ cost_cents: 45_00 })
    await freeCodes(on.database, own, 2)
    const sent = fields({ ecard_attr_id: own.face.id, quantity: 2 })
    const { id, version } = await on.done(batchAdd.submit, sent)
    await on.database.db
      .update(ecard_attr)
      .set({ cost_cents: 49_00 })
      .where(eq(ecard_attr.id, own.face.id))
    const auditor = await addStaff(on.database, { perms: ['redeemCode.*'] })
    await on.done(codeBatches.approve, { id, version }, auditor)
    expect(await on.done(codeBatches.detail, { id })).toMatchObject({
      ecard_cents: 45_00,
      unit_cost_cents: 45_00,
    })
  })
  it.each([
    [{ ecard_attr_id: 999_999 }, 'ecard_attr_id'],
    [{ ecard_attr_id: null }, 'coupon_ids'],
    [{ budget_cents: 100 * FACE - 1 }, 'budget_cents'],
  ])('is refused with %o', async (more, field) => {
    const said = await on.call(batchAdd.submit, fields(more))
    expect(said.status).toBe(400)
    expect(Object.keys(said.data.fields)).toEqual([field])
  })
  it.each<[string, () => Promise<Faced>, string]>([
    ['too few in stock', () => imported(), '库存仅 0 张'],
    ['a named card', () => facedCard(on.database, { source: 'generate', named: true }), '记名卡'],
    ['a top-up', () => facedCard(on.database, { type: 'topup', source: 'api' }), '供应商接口'],
    ['a card off sale', () => facedCard(on.database, { source: 'generate', state: 'off' }), '下架'],
    [
      'a face off sale',
      () => facedCard(on.database, { source: 'generate' }, { status: 'off' }),
      '下架',
    ],
  ])('is refused with %s, and that is offered to nobody', async (_, own, why) => {
    const { face, card } = await own()
    const sent = fields({ ecard_attr_id: face.id, budget_cents: 100_000_00 })
    const said = await on.call(batchAdd.submit, sent)
    expect(said.data.fields.ecard_attr_id).toContain(why)
    const offered = await on.done(codeBatches.cards, { keyword: card.name, page: 1, pageSize: 10 })
    expect(offered.total).toBe(why.includes('库存') ? 1 : 0)
  })
  it('names its card to whoever copies it once that is off sale', async () => {
    const own = await facedCard(on.database, { source: 'generate' }, { face_cents: FACE })
    const draft = await on.done(batchAdd.saveDraft, fields({ ecard_attr_id: own.face.id }))
    await on.database.db.update(ecard).set({ state: 'off' }).where(eq(ecard.id, own.card.id))
    expect((await on.call(codeBatches.submit, draft)).data.fields).toHaveProperty('ecard_attr_id')
    expect((await on.done(codeBatches.detail, { id: draft.id })).card.ended).toBe(true)
    const copy = { ...fields({ ecard_attr_id: own.face.id }), copy_from_id: draft.id }
    expect((await on.call(batchCopy.submit, copy)).data.fields).toHaveProperty('ecard_attr_id')
  })
  it('offers faces by the name of their card and by their yuan', async () => {
    const ask = async (keyword: string) =>
      (await on.done(codeBatches.cards, { keyword, page: 1, pageSize: 50 })).list
    const name = `「${made.card.name}」50.00 元`
    expect(await ask(made.card.name)).toEqual([{ id: made.face.id, name }])
    expect(await ask('50')).toContainEqual({ id: made.face.id, name })
  })
})

describe('a code of an e-card', () => {
  it('makes the card, which is the member’s and active: desk, records and journal say so', async () => {
    const { codes, batch } = await cards()
    const before = await on.look(codes[0]!)
    expect(before.rewards).toEqual([`电子卡「${made.card.name}」50.00 元`])
    expect(before.card).toBeNull()
    const who = await someone()
    const said = await redeem(codes[0]!, who)
    const card = await cardOf(who.id)
    const tail = card.card_no.slice(-4)
    expect(card).toMatchObject({ state: 'active', balance_cents: FACE, order_id: null })
    expect(said.code.card).toEqual({
      name: made.card.name,
      face_cents: FACE,
      tail,
      state: 'active',
      balance_cents: FACE,
    })
    const [log] = (
      await on.done(redeemLogs.lst, { batch_id: batch.id, result: 'ok', page: 1, pageSize: 10 })
    ).list
    expect(log.rewards).toEqual([`电子卡「${made.card.name}」50.00 元（尾号 ${tail}）`])
    const [row] = await on.database.db.select().from(redeem_log).where(eq(redeem_log.id, log.id))
    expect(row!.granted).toMatchObject({ cost_cents: FACE, card: { code_id: card.id } })
    expect(await postedOf(card.id)).toEqual([{ biz: 'card_gift', no: `RC${log.id}`, cents: FACE }])
    const ledger = await ledgerOf(on.database.db, [card.id])
    expect(ledger.map(one => [one.type, one.amount_cents])).toEqual([['activate', FACE]])
    expect(ledger[0]!.reason).toContain(batch.name)
  })
  it('takes one of the stock, and is refused where none is left, staying good', async () => {
    const own = await imported()
    const [free] = await freeCodes(on.database, own, 1)
    const { codes } = await cards({ ecard_attr_id: own.face.id, codes: 2 })
    const [first, second] = [await someone(), await someone()]
    expect((await redeem(codes[0]!, first)).result).toBe('ok')
    expect((await cardOf(first.id)).id).toBe(free)
    expect(await faceOf(own.face.id)).toMatchObject({ free_n: 0, sold_n: 1 })
    const said = await redeem(codes[1]!, second)
    expect([said.result, said.code.state]).toEqual(['no_reward', 'unused'])
    expect(said.text).toContain('该电子卡已发完')
    await freeCodes(on.database, own, 1)
    expect((await redeem(codes[1]!, second)).result).toBe('ok')
  })
  it('gives nothing at all once the card is off sale', async () => {
    const own = await facedCard(on.database, { source: 'generate' })
    const { codes } = await cards({ ecard_attr_id: own.face.id, points: 7 })
    await on.database.db.update(ecard).set({ state: 'off' }).where(eq(ecard.id, own.card.id))
    const who = await someone()
    const said = await redeem(codes[0]!, who)
    expect([said.result, said.code.state]).toEqual(['no_reward', 'unused'])
    expect(said.text).toContain('已下架')
    expect(await cardsOf(who.id)).toEqual([])
    const [row] = await on.database.db.select().from(member).where(eq(member.id, who.id))
    expect(row!.points).toBe(0)
  })
  it('gives no card to a member whose benefits are frozen', async () => {
    const who = await someone()
    await on.database.db.update(member).set({ benefits_frozen: true }).where(eq(member.id, who.id))
    const { codes } = await cards()
    const said = await redeem(codes[0]!, who)
    expect(said.result).toBe('no_reward')
    expect(await cardsOf(who.id)).toEqual([])
  })
  it('is good for its days from then on, or until its own end', async () => {
    const days = await facedCard(on.database, {
      source: 'generate',
      type: 'exchange',
      valid_type: 'days',
      valid_days: 30,
    })
    const { card } = await redeemed({ ecard_attr_id: days.face.id })
    expect(card.valid_until! - card.activated_at!).toBe(30 * 86_400)
    const until = now + 90 * 86_400
    const fixed = await facedCard(on.database, {
      source: 'generate',
      type: 'exchange',
      valid_type: 'fixed',
      valid_until: until,
    })
    const { card: other } = await redeemed({ ecard_attr_id: fixed.face.id })
    expect(other.valid_until).toBe(until)
  })
})

describe('taking it back', () => {
  it('voids the card, gives the journal its money back, and the code is good once more', async () => {
    const { who, id, code, card } = await redeemed()
    expect((await revoke(id)).status).toBe(200)
    const after = await cardOf(who.id)
    expect(after).toMatchObject({ state: 'void', balance_cents: 0, activated_at: null })
    expect(after.reason).toContain('兑换撤销')
    const sums = (await ledgerOf(on.database.db, [card.id])).map(one => one.amount_cents)
    expect(sums).toEqual([FACE, -FACE])
    expect((await postedOf(card.id)).map(one => one.biz)).toEqual(['card_gift', 'card_gift_back'])
    const { rows } = await on.database.db.execute<{ cents: string }>(
      sql`select coalesce(sum(e.amount_cents), 0) cents from ${ledger_entry} e join ${ledger_txn} t on t.id = e.txn_id join ledger_account a on a.id = e.account_id where t.biz_id = ${card.id} and t.biz in ('card_gift', 'card_gift_back') and a.kind = 'prepaid_card'`,
    )
    expect(Number(rows[0]!.cents)).toBe(0)
    expect((await codeOf(id)).state).toBe('unused')
    expect((await redeem(code, who)).result).toBe('ok')
    expect((await cardsOf(who.id)).map(one => one.state).toSorted()).toEqual(['active', 'void'])
  })
  it('is undone at the desk', async () => {
    const { who, id } = await redeemed()
    expect((await on.undo(id)).status).toBe(200)
    expect((await cardOf(who.id)).state).toBe('void')
  })
  it('finds the card with the account that its member was merged into', async () => {
    const { who, id, card } = await redeemed()
    const kept = await someone()
    await on.database.db
      .update(ecard_code)
      .set({ holder_id: kept.id })
      .where(eq(ecard_code.id, card.id))
    expect((await revoke(id)).data.rule).toBe('reward_used')
    await on.database.db
      .update(member)
      .set({ merged_into: kept.id, account_state: 'merged' })
      .where(eq(member.id, who.id))
    expect((await revoke(id)).status).toBe(200)
    expect((await cardOf(kept.id)).state).toBe('void')
  })
  it.each<[string, (of: Awaited<ReturnType<typeof redeemed>>) => Promise<unknown>]>([
    [
      'something of it was spent',
      ({ card }) =>
        on.database.transaction(tx =>
          spendCode(tx, { code_id: card.id, amount_cents: 1, ref: { type: 'test', id: 1 }, now }),
        ),
    ],
    [
      'it went to another member',
      async ({ card }) =>
        on.database.db
          .update(ecard_code)
          .set({ holder_id: (await someone()).id })
          .where(eq(ecard_code.id, card.id)),
    ],
    [
      'its secret was seen',
      async ({ card }) =>
        showSecret(on.database.db, await sealerFor(on.database), { code_id: card.id, now }),
    ],
  ])('is refused once %s, and changes nothing', async (_, use) => {
    const of = await redeemed({ points: 7 })
    await use(of)
    const said = await revoke(of.id)
    expect([said.status, said.data.rule]).toEqual([422, 'reward_used'])
    expect((await codeOf(of.id)).state).toBe('redeemed')
    expect((await on.success(of.id)).revoked_at).toBeNull()
    const [row] = await on.database.db.select().from(member).where(eq(member.id, of.who.id))
    expect(row!.points).toBe(7)
    const [card] = await on.database.db
      .select()
      .from(ecard_code)
      .where(eq(ecard_code.id, of.card.id))
    expect(card!.state).toBe('active')
  })
  it('gives no card anew', async () => {
    const { who, id } = await redeemed()
    const { id: log_id, version } = await on.success(id)
    const said = await on.call(redeemLogs.reissue, { id: log_id, version, reason: '客诉' })
    expect([said.status, said.data.rule]).toEqual([422, 'nothing_lost'])
    expect(await cardsOf(who.id)).toHaveLength(1)
  })
})

onlyOn('postgres')('at once', () => {
  it('two tills give the last card of the stock to one of two members', async () => {
    for (let round = 0; round < 4; round++) {
      const own = await imported()
      await freeCodes(on.database, own, 1)
      const { codes } = await cards({ ecard_attr_id: own.face.id, codes: 2 })
      const both = await Promise.all([
        redeem(codes[0]!, await someone()),
        redeem(codes[1]!, await someone()),
      ])
      expect(both.map(said => said.result).toSorted()).toEqual(['no_reward', 'ok'])
      expect(await faceOf(own.face.id)).toMatchObject({ free_n: 0, sold_n: 1 })
    }
  })
  it('two tills redeem one code once, and a card is spent or taken back, never both', async () => {
    for (let round = 0; round < 4; round++) {
      const { codes } = await cards()
      const people = [await someone(), await someone()]
      const both = await Promise.all(people.map(who => redeem(codes[0]!, who)))
      expect(both.map(said => said.result).toSorted()).toEqual(['ok', 'used'])
      const [card] = (await Promise.all(people.map(who => cardsOf(who.id)))).flat()
      const { id } = await on.look(codes[0]!)
      const [back, spent] = await Promise.all([
        revoke(id),
        on.database
          .transaction(tx =>
            spendCode(tx, {
              code_id: card!.id,
              amount_cents: 1,
              ref: { type: 'test', id: 1 },
              now,
            }),
          )
          .then(
            () => true,
            () => false,
          ),
      ])
      expect(back.status === 200).toBe(!spent)
    }
  })
  it('leaves the books in order', async () => {
    expect(await brokenBooks(on.database)).toEqual({})
  })
})
