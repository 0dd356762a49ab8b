import { eq } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { ecard_channel, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  channelAdd,
  channelEdit,
  ecardChannels as calls,
} from '#src/modules/ecard/contract/channel.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { channelDesk } from '../../help/channelDesk.ts'
import { channelOf, creditCodeFor, faceFor, paidAhead } from '../../help/ecardChannels.ts'

const desk = channelDesk()
const { call, done, faults, held, ledgerOf, rowOf, rule } = desk
const now = unixNow()
let named = 0
const fields = (more: object = {}) => ({
  name: `渠道Q${++named}`,
  type: 'enterprise',
  company: '上海某某有限公司',
  tax_no: creditCodeFor(),
  contact: '王经理',
  phone: '13800138000',
  email: 'a@example.com',
  contract: 'demo/contract.webp',
  start_at: now - DAY,
  end_at: now + 300 * DAY,
  settle_type: 'prepaid',
  credit_cents: 0,
  ip_list: [],
  receivers: ['a@example.com'],
  cards: [],
  ...more,
})
const aFaceId = async () => {
  const other = await channelOf(desk.database)
  return (await faceFor(desk.database, other.id)).face.id
}
const line = async (more: object = {}) => ({
  attr_id: await aFaceId(),
  discount_bp: 9000,
  quota_n: 100,
  ...more,
})

describe('a new channel', () => {
  it.each([
    ['with a credit code whose check sign is wrong', { tax_no: '913100000000000000' }, 'tax_no'],
    ['that ends before it starts', { end_at: now - 2 * DAY }, 'end_at'],
    ['that is over', { start_at: now - 9 * DAY, end_at: now - DAY }, 'end_at'],
    ['prepaid with credit', { credit_cents: 1 }, 'credit_cents'],
    ['without a card', { cards: [] }, 'cards'],
    ['of an API partner without an address', { type: 'api' }, 'ip_list'],
    ['with a place that is no address', { ip_list: ['10.0.0.0/8'] }, 'ip_list'],
    ['with a phone that is none', { phone: '123' }, 'phone'],
    ['without a contract', { contract: '' }, 'contract'],
  ])('%s is not opened', async (_, more, field) => {
    const cards = 'cards' in more ? [] : [await line()]
    expect(await faults(channelAdd.submit, fields({ cards, ...more }))).toContain(field)
  })
  it('with a face twice, or a share beyond 100 %, is not even a draft', async () => {
    const one = await line()
    expect(await faults(channelAdd.save, fields({ cards: [one, one] }))).toEqual(['cards'])
    for (const discount_bp of [99, 10_001])
      expect(
        (await call(channelAdd.save, fields({ cards: [{ ...one, discount_bp }] }))).status,
      ).toBe(400)
  })
  it('has a company that no active channel has', async () => {
    const of = fields({ cards: [await line()] })
    await done(channelAdd.submit, of)
    expect(await faults(channelAdd.submit, { ...of, name: `${of.name}二` })).toEqual(['tax_no'])
    const told = await done(channelAdd.verifyCompany, { tax_no: of.tax_no })
    expect(told).toEqual({ fault: '', taken_by: of.name })
    expect((await done(channelAdd.verifyCompany, { tax_no: '123' })).fault).not.toBe('')
  })
  it('has credit once a second person has agreed to it', async () => {
    const of = fields({ settle_type: 'monthly', credit_cents: 900_00, cards: [await line()] })
    const { id } = await done(channelAdd.submit, of)
    expect(await rowOf(id)).toMatchObject({ status: 'on', credit_cents: 0 })
    expect(await rule(calls.confirm, await held(id))).toBe('channel_confirm')
    await done(calls.confirm, await held(id), desk.second)
    expect((await rowOf(id)).credit_cents).toBe(900_00)
  })
  it('is a draft until it is complete', async () => {
    const of = fields({ company: '', tax_no: '', contract: '', start_at: null, end_at: null })
    const draft = await done(channelAdd.save, of)
    expect(await faults(channelEdit.submit, { ...of, ...draft })).toEqual(
      expect.arrayContaining(['company', 'tax_no', 'contract', 'end_at', 'cards']),
    )
    expect(await rule(calls.enable, draft)).toBe('channel_enable')
    await done(channelEdit.submit, { ...fields({ cards: [await line()] }), ...draft })
    expect((await rowOf(draft.id)).status).toBe('on')
  })
})

describe('an open channel', () => {
  const open = async (more: object = {}) => {
    const of = fields({ cards: [await line({ discount_bp: 5000, quota_n: 10 })], ...more })
    const { id } = await done(channelAdd.submit, of)
    return { id: id as number, of }
  }
  const edited = async (id: number, of: ReturnType<typeof fields>, more: object = {}) => {
    const { type: _, contract: __, start_at: ___, end_at: ____, ip_list: _____, ...terms } = of
    return { ...(await held(id)), ...terms, ...more, reason: '调整条款' }
  }
  it('keeps its quota above what was issued, and issues at new terms from then on', async () => {
    const { id, of } = await open()
    await paidAhead(desk.database, id, 1000_00)
    const [card] = of.cards as { attr_id: number; discount_bp: number; quota_n: number }[]
    await done(calls.issueBatch, { ...(await held(id)), attr_id: card!.attr_id, n: 5 })
    const less = { cards: [{ ...card!, quota_n: 4 }] }
    expect(await faults(channelEdit.save, await edited(id, of, less))).toEqual(['cards'])
    expect(
      await rule(calls.setQuota, { ...(await held(id)), attr_id: card!.attr_id, quota_n: 4 }),
    ).toBe('quota_issued')
    await done(channelEdit.save, await edited(id, of, { cards: [{ ...card!, discount_bp: 8000 }] }))
    await done(calls.issueBatch, { ...(await held(id)), attr_id: card!.attr_id, n: 1 })
    expect((await ledgerOf(id)).map(row => row.amount_cents)).toEqual([1000_00, -250_00, -80_00])
  })
  it('has less credit at once, but not less than it owes', async () => {
    const { id, of } = await open({ settle_type: 'monthly', credit_cents: 900_00 })
    await done(calls.confirm, await held(id), desk.second)
    const [card] = of.cards as { attr_id: number }[]
    await done(calls.issueBatch, { ...(await held(id)), attr_id: card!.attr_id, n: 10 })
    expect(await faults(channelEdit.save, await edited(id, of, { credit_cents: 499_99 }))).toEqual([
      'credit_cents',
    ])
    await done(channelEdit.save, await edited(id, of, { credit_cents: 500_00 }))
    expect((await rowOf(id)).credit_cents).toBe(500_00)
    await done(channelEdit.save, await edited(id, of, { credit_cents: 600_00 }))
    expect((await rowOf(id)).credit_cents).toBe(500_00)
    expect((await done(calls.detail, { id })).request).toMatchObject({
      kind: 'credit',
      amount_cents: 600_00,
    })
  })
  it('is not saved without a change, nor by whoever holds it as it was', async () => {
    const { id, of } = await open()
    const same = await edited(id, of)
    expect(await rule(channelEdit.save, same)).toBe('no_change')
    await done(calls.disable, { ...(await held(id)), reason: '核对合同' })
    expect(
      (await call(channelEdit.save, { ...same, name: `${of.name}改` }, desk.second)).status,
    ).toBe(409)
  })
  it('loses a card and keeps its codes, but not the last one', async () => {
    const { id, of } = await open()
    const [first] = of.cards as { attr_id: number }[]
    const why = { reason: '停止合作' }
    const one = { attr_id: first!.attr_id, ...why }
    expect(await rule(channelEdit.removeCard, { ...(await held(id)), ...one })).toBe('last_card')
    const more = await line()
    await done(channelEdit.addCard, { ...(await held(id)), ...more })
    expect(await faults(channelEdit.addCard, { ...(await held(id)), ...more })).toEqual(['attr_id'])
    await paidAhead(desk.database, id, 1000_00)
    await done(calls.issueBatch, { ...(await held(id)), attr_id: first!.attr_id, n: 2 })
    await done(channelEdit.removeCard, { ...(await held(id)), ...one })
    const codes = await desk.database.db
      .select()
      .from(ecard_code)
      .where(eq(ecard_code.channel_id, id))
    expect(codes.map(code => code.state)).toEqual(['sold', 'sold'])
    expect((await done(calls.detail, { id })).cards).toHaveLength(1)
    const again = { attr_id: first!.attr_id, discount_bp: 9000, quota_n: 1 }
    expect(await faults(channelEdit.addCard, { ...(await held(id)), ...again })).toEqual([
      'quota_n',
    ])
  })
  it('is renewed without an overlap, and goes on with the period that follows', async () => {
    const { id, of } = await open({ end_at: now + 10 * DAY })
    const next = { start_at: now + 9 * DAY, end_at: now + 99 * DAY, contract: 'demo/b.webp' }
    expect(await faults(channelEdit.renew, { ...(await held(id)), ...next })).toEqual(['start_at'])
    await done(channelEdit.renew, { ...(await held(id)), ...next, start_at: now + 10 * DAY })
    expect(await rowOf(id)).toMatchObject({ end_at: of.end_at, status: 'on' })
    const turn = (at: number) =>
      timerNamed('ecard.channels')({ ...desk.app, database: desk.database, now: at } as never)
    await turn(now + 11 * DAY)
    expect(await rowOf(id)).toMatchObject({ end_at: next.end_at, status: 'on' })
    await turn(now + 100 * DAY)
    expect((await rowOf(id)).status).toBe('ended')
    expect(await rule(calls.enable, await held(id))).toBe('channel_enable')
    const later = { start_at: now + 200 * DAY, end_at: now + 300 * DAY, contract: 'demo/c.webp' }
    await desk.database.db
      .update(ecard_channel)
      .set({ end_at: now - DAY, start_at: now - 2 * DAY })
      .where(eq(ecard_channel.id, id))
    await done(channelEdit.renew, { ...(await held(id)), ...later })
    expect(await rowOf(id)).toMatchObject({ end_at: later.end_at, status: 'on' })
  })
  it('of an API partner keeps one address, and its old key for a day', async () => {
    const { id } = await open({ type: 'api', ip_list: ['203.0.113.7'] })
    expect(await faults(channelEdit.setIpList, { ...(await held(id)), ip_list: [] })).toEqual([
      'ip_list',
    ])
    await done(channelEdit.setIpList, { ...(await held(id)), ip_list: ['203.0.113.0/24'] })
    const why = { reason: '首次生成' }
    const first = await done(calls.resetKey, { ...(await held(id)), ...why })
    expect(first.secret_key).toMatch(/^[\w-]{43}$/)
    const again = await done(calls.resetKey, { ...(await held(id)), reason: '疑似泄露' })
    expect(again.app_key).not.toBe(first.app_key)
    const row = await rowOf(id)
    expect(row).toMatchObject({ app_key: again.app_key, old_app_key: first.app_key })
    expect(row.secret_enc).not.toContain(again.secret_key)
    expect(JSON.stringify(await done(calls.detail, { id }))).not.toContain(row.secret_enc)
    const turn = (at: number) =>
      timerNamed('ecard.channels')({ ...desk.app, database: desk.database, now: at } as never)
    await turn(row.old_key_until! + 1)
    expect((await rowOf(id)).old_app_key).toBe(null)
  })
  it('of no API partner has no key', async () => {
    const { id } = await open()
    expect(await rule(calls.resetKey, { ...(await held(id)), reason: '试试' })).toBe(
      'channel_resetKey',
    )
  })
})
