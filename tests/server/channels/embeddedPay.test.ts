import { count, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { channel_pay } from '#src/areas/payment/channel.table.ts'
import { embeddedPay, noPay, type EmbeddedPay } from '#src/areas/payment/embeddedPay.channel.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { joined } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { copyOfTemplate, openCopy } from '../../farm.ts'

let database: Database
let pay: EmbeddedPay
let now = unixNow()
beforeAll(async () => {
  database = await openCopy()
  pay = embeddedPay(database, { now: () => now })
})
let made = 0
const of = (more: Partial<Parameters<EmbeddedPay['refund']>[0]> = {}) => {
  const n = ++made
  return {
    out_no: `RF${n}`,
    payment_no: `PAY${n}`,
    amount_cents: 300,
    paid_cents: 1000,
    reason: '',
    ...more,
  }
}
const rowsOf = async (out_no: string) =>
  (
    await database.db.select({ n: count() }).from(channel_pay).where(eq(channel_pay.out_no, out_no))
  )[0]!.n

describe('the embedded payment channel', () => {
  it('pays within two seconds, and says the same ever after', async () => {
    const asks = Array.from({ length: 12 }, () => of())
    const begun = now
    for (const ask of asks)
      expect(await pay.refund(ask)).toMatchObject({
        state: expect.stringMatching(/pending|success/),
      })
    now += 2
    for (const ask of asks) {
      const answer = await pay.queryRefund(ask.out_no)
      expect(answer).toMatchObject({ state: 'success', amount_cents: 300 })
      expect((answer as { at: number }).at - begun).toBeLessThanOrEqual(2)
      expect(await pay.refund(ask)).toEqual(answer)
    }
  })
  it('takes a number once, however many ask at the same time', async () => {
    const ask = of()
    await Promise.all(Array.from({ length: 8 }, () => pay.refund(ask)))
    now += 2
    expect(await rowsOf(ask.out_no)).toBe(1)
    const answers = await Promise.all(Array.from({ length: 4 }, () => pay.refund(ask)))
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1)
  })
  it('refuses the same number for another amount or another payment', async () => {
    const ask = of()
    await pay.refund(ask)
    expect(await pay.refund({ ...ask, amount_cents: 301 })).toMatchObject({
      state: 'failed',
      code: 'INVALID_REQUEST',
    })
    expect(await pay.refund({ ...ask, payment_no: 'PAY-other' })).toMatchObject({
      state: 'failed',
      code: 'INVALID_REQUEST',
    })
    now += 2
    expect(await pay.queryRefund(ask.out_no)).toMatchObject({ state: 'success', amount_cents: 300 })
  })
  it('gives never more back than was paid, also when refunds come at once', async () => {
    const payment_no = 'PAY-shared'
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => pay.refund(of({ payment_no, amount_cents: 300 }))),
    )
    expect(answers.filter(answer => answer.state === 'failed')).toHaveLength(3)
    expect(await pay.refund(of({ payment_no, amount_cents: 100 }))).not.toMatchObject({
      state: 'failed',
    })
    expect(await pay.refund(of({ payment_no, amount_cents: 1 }))).toMatchObject({
      code: 'INVALID_REQUEST',
    })
    expect(await pay.refund(of({ amount_cents: 0 }))).toMatchObject({ code: 'PARAM_ERROR' })
  })
  it('does not know what it was never asked', async () => {
    expect(await pay.queryRefund('RF-none')).toMatchObject({
      state: 'failed',
      code: 'RESOURCE_NOT_EXISTS',
      text: joined(['渠道没有这笔单', 'The channel does not know it']),
    })
    const ask = of()
    await pay.refund(ask)
    expect(await pay.queryPayment(ask.out_no)).toMatchObject({ code: 'RESOURCE_NOT_EXISTS' })
  })
  it('knows a payment that was made', async () => {
    await pay.pay({ out_no: 'IN1', amount_cents: 990 })
    now += 2
    expect(await pay.queryPayment('IN1')).toMatchObject({ state: 'success', amount_cents: 990 })
    expect(await pay.pay({ out_no: 'IN1', amount_cents: 1 })).toMatchObject({
      code: 'INVALID_REQUEST',
    })
  })
})

describe('told to', () => {
  it('refuse, it writes nothing down: the same number pays once the reason is gone', async () => {
    const ask = of()
    await pay.plan(ask.out_no, { fail: 'NOT_ENOUGH' })
    expect(await pay.refund(ask)).toEqual({
      state: 'failed',
      code: 'NOT_ENOUGH',
      text: joined(payFaults['NOT_ENOUGH']!),
    })
    expect(await pay.queryRefund(ask.out_no)).toMatchObject({ code: 'RESOURCE_NOT_EXISTS' })
    await pay.plan(ask.out_no, { delay_s: 0 })
    expect(await pay.refund(ask)).toMatchObject({ state: 'success' })
  })
  it('fail afterwards, it takes the refund first and gives its amount free again', async () => {
    const ask = of({ amount_cents: 1000 })
    await pay.plan(ask.out_no, { fail: 'ABNORMAL', delay_s: 5 })
    expect(await pay.refund(ask)).toEqual({ state: 'pending' })
    expect(await pay.refund(of({ payment_no: ask.payment_no, amount_cents: 1 }))).toMatchObject({
      state: 'failed',
    })
    now += 5
    expect(await pay.queryRefund(ask.out_no)).toMatchObject({ state: 'failed', code: 'ABNORMAL' })
    expect(await pay.refund(of({ payment_no: ask.payment_no, amount_cents: 1 }))).not.toMatchObject(
      { state: 'failed' },
    )
  })
  it('stay silent, it pays all the same, and once', async () => {
    const ask = of()
    await pay.plan(ask.out_no, { silent: 2, delay_s: 0 })
    expect(await pay.refund(ask)).toMatchObject({ state: 'unknown' })
    expect(await pay.due(now)).not.toContainEqual(expect.objectContaining({ out_no: ask.out_no }))
    expect(await pay.refund(ask)).toMatchObject({ state: 'unknown' })
    expect(await pay.queryRefund(ask.out_no)).toMatchObject({ state: 'success' })
    expect(await rowsOf(ask.out_no)).toBe(1)
  })
  it('take its time, it is pending until then', async () => {
    const ask = of()
    await pay.plan(ask.out_no, { delay_s: 3600 })
    expect(await pay.refund(ask)).toEqual({ state: 'pending' })
    now += 3599
    expect(await pay.queryRefund(ask.out_no)).toEqual({ state: 'pending' })
    now += 1
    expect(await pay.queryRefund(ask.out_no)).toMatchObject({ state: 'success' })
  })
  it('behave so for all numbers, a number’s own plan still comes first', async () => {
    await pay.plan('*', { fail: 'NO_AUTH' })
    const [common, own] = [of(), of()]
    await pay.plan(own.out_no, { delay_s: 0 })
    expect(await pay.refund(common)).toMatchObject({ code: 'NO_AUTH' })
    expect(await pay.refund(own)).toMatchObject({ state: 'success' })
    await pay.plan('*', {})
  })
})

describe('by itself it tells', () => {
  const tellingsOf = async (out_no: string) =>
    (await pay.due(now)).filter(notice => notice.out_no === out_no)
  it('once of what came to an end, and not before', async () => {
    const ask = of()
    await pay.plan(ask.out_no, { delay_s: 2 })
    await pay.refund(ask)
    expect(await tellingsOf(ask.out_no)).toEqual([])
    now += 2
    expect(await tellingsOf(ask.out_no)).toEqual([
      {
        kind: 'refund',
        out_no: ask.out_no,
        answer: expect.objectContaining({ state: 'success', amount_cents: 300 }),
      },
    ])
    expect(await tellingsOf(ask.out_no)).toEqual([])
  })
  it('twice where it was told to, the same both times', async () => {
    const ask = of()
    await pay.plan(ask.out_no, { twice: true, delay_s: 0 })
    await pay.refund(ask)
    const [first, second, third] = [
      await tellingsOf(ask.out_no),
      await tellingsOf(ask.out_no),
      await tellingsOf(ask.out_no),
    ]
    expect(first).toHaveLength(1)
    expect(second).toEqual(first)
    expect(third).toEqual([])
  })
  it('one process only, when several ask at once', async () => {
    const asks = Array.from({ length: 5 }, () => of())
    for (const ask of asks) {
      await pay.plan(ask.out_no, { delay_s: 0 })
      await pay.refund(ask)
    }
    const heard = (await Promise.all([pay.due(now), pay.due(now), pay.due(now)]))
      .flat()
      .map(notice => notice.out_no)
    for (const ask of asks) expect(heard.filter(out_no => out_no === ask.out_no)).toHaveLength(1)
  })
  it('and hears nothing from the network', () => {
    expect(pay.notice({ headers: {}, body: '{}', now })).toBeNull()
  })
})

it('after a restart it knows what it had been asked', async () => {
  const copy = await copyOfTemplate()
  const ask = of()
  const first = await openDatabase(copy.options)
  const paid = embeddedPay(first, { now: () => now })
  await paid.plan(ask.out_no, { delay_s: 10 })
  await paid.refund(ask)
  await first.close()
  const second = await openDatabase(copy.options)
  now += 10
  expect(await embeddedPay(second, { now: () => now }).refund(ask)).toMatchObject({
    state: 'success',
    at: now,
  })
  await second.close()
  await copy.remove()
})
it('where no channel is set up nothing is paid, and every answer says so', async () => {
  for (const answer of [
    await noPay.refund(of()),
    await noPay.queryRefund('a'),
    await noPay.queryPayment('a'),
  ])
    expect(answer).toEqual({
      state: 'failed',
      code: 'no_channel',
      text: joined(['未配置支付渠道', 'No payment channel is set up']),
    })
  expect([noPay.notice({ headers: {}, body: '', now }), await noPay.due(now)]).toEqual([null, []])
})
