import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf } from '#src/areas/ledger/post.server.ts'
import { settle_batch } from '#src/areas/settle/batch.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batches as calls } from '#src/modules/settle/contract/detail.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send, type Said } from '../../help/app.ts'
import { freezing, freshSale, linesBy, paidOut, refundOf, type Sale } from '../../help/settle.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let maker: Person
let checker: Person
beforeAll(async () => {
  database = await openCopy({ poolSize: 4 })
  app = await openApp(database)
  maker = await addStaff(database, { perms: ['settle.detail.*'] })
  checker = await addStaff(database, { perms: ['settle.detail.*'] })
}, 120_000)

const now = unixNow()
let keys = 0
const by = (one: Person) => ({ token: one.token, key: `reversal-Q${++keys}` })
const read = async (id: number) =>
  (await database.db.select().from(settle_batch).where(eq(settle_batch.id, id)))[0]!
type Verb = 'send' | 'confirm' | 'post' | 'askReverse' | 'reverse' | 'refuseReverse'
const to = async (verb: Verb, id: number, who = maker, more: object = {}): Promise<Said> =>
  send(app, calls[verb], { id, version: (await read(id)).version, ...more }, by(who))
const ask = (id: number, who = maker) => to('askReverse', id, who, { reason: '费率录错' })
const held = (sale: Sale, kind: 'merchant_frozen' | 'merchant_balance' | 'merchant_debt') =>
  balanceOf(database.db, merchants(kind, sale.merchant.id))
const settle = async (sale: Sale) => {
  const period = { from: now - 7 * DAY, to: now - DAY, merchant_ids: [sale.merchant.id] }
  await send(app, calls.generate, period, by(maker))
  const [batch] = await database.db
    .select()
    .from(settle_batch)
    .where(eq(settle_batch.merchant_id, sale.merchant.id))
    .orderBy(settle_batch.id)
    .then(all => all.slice(-1))
  await to('send', batch!.id)
  await to('confirm', batch!.id, maker, { proof: 'a.png' })
  expect((await to('post', batch!.id, checker)).status).toBe(200)
  return batch!.id
}
const posted = async (cents: readonly number[] = [9000, 8000]) => {
  const sale = await freshSale(database)
  const ids = await freezing(
    database,
    sale,
    cents.map(merchant_cents => ({ merchant_cents })),
  )
  return { sale, ids, id: await settle(sale) }
}

it('is taken back by two people: the money is on hold again, and its lines are free', async () => {
  const { sale, ids, id } = await posted()
  expect((await to('reverse', id, checker)).data.rule).toBe('batch_reverse')
  expect((await ask(id)).status).toBe(200)
  const twice = await ask(id, checker)
  expect([twice.data.rule, twice.message]).toEqual([
    'batch_askReverse',
    expect.stringContaining(maker.account),
  ])
  const own = await to('reverse', id)
  expect([own.data.rule, own.message]).toEqual(['own_reversal', expect.stringContaining('另一人')])
  expect(await held(sale, 'merchant_balance')).toBe(-17_000)
  expect((await to('reverse', id, checker)).status).toBe(200)
  expect(await held(sale, 'merchant_balance')).toBe(0)
  expect(await held(sale, 'merchant_frozen')).toBe(-17_000)
  expect(await linesBy(database, ids)).toMatchObject([
    { status: 'freezing', batch_id: null, settled_at: null },
    { status: 'freezing', batch_id: null, settled_at: null },
  ])
  expect(await read(id)).toMatchObject({
    status: 'reversed',
    reverse_by: maker.id,
    reversed_by: checker.id,
    reverse_reason: '费率录错',
    reverse_txn_id: expect.any(Number),
  })
  expect((await to('reverse', id, checker)).data.rule).toBe('batch_reverse')
  expect((await ask(id)).data.rule).toBe('batch_askReverse')
  // What was taken back is settled anew.
  await settle(sale)
  expect(await held(sale, 'merchant_balance')).toBe(-17_000)
})
it('owes again what the batch took of a debt, and leaves it to the next batch', async () => {
  const { sale, ids } = await posted([9000])
  await paidOut(database, sale, 9000)
  await refundOf(database, ids[0]!, 9000)
  await freezing(database, sale, [{ merchant_cents: 12_000 }])
  const id = await settle(sale)
  expect(await read(id)).toMatchObject({ debt_deduct_cents: 9000, payable_cents: 3000 })
  await ask(id)
  expect((await to('reverse', id, checker)).status).toBe(200)
  expect(await held(sale, 'merchant_debt')).toBe(9000)
  expect(await held(sale, 'merchant_frozen')).toBe(-12_000)
  expect(await read(await settle(sale))).toMatchObject({ debt_deduct_cents: 9000 })
})
it('is refused where the balance does not cover it, or a line was refunded since', async () => {
  const short = await posted([9000])
  await ask(short.id)
  await paidOut(database, short.sale, 1)
  const said = await to('reverse', short.id, checker)
  expect([said.data.rule, said.message]).toEqual([
    'short_balance',
    expect.stringContaining('89.99 元'),
  ])
  expect(await read(short.id)).toMatchObject({ status: 'posted', reversed_by: null })
  expect((await linesBy(database, short.ids))[0]!.status).toBe('settled')
  const refunded = await posted([9000])
  await ask(refunded.id)
  await refundOf(database, refunded.ids[0]!, 1)
  expect((await to('reverse', refunded.id, checker)).data.rule).toBe('lines_refunded')
  expect(await held(refunded.sale, 'merchant_frozen')).toBe(0)
})
it('stays posted where the second person refuses, and may be asked for again', async () => {
  const { id } = await posted([9000])
  await ask(id)
  const waits = await send(app, calls.lst, { reversing: true }, by(checker))
  expect(waits.data.list.map((one: { id: number }) => one.id)).toContain(id)
  const why = { reason: '费率没有错' }
  expect((await to('refuseReverse', id, maker, why)).data.rule).toBe('own_reversal')
  expect((await to('refuseReverse', id, checker, why)).status).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'posted', reverse_by: null, reverse_reason: '' })
  expect((await ask(id, checker)).status).toBe(200)
})
it('is taken back once, also by two people at once, and never past a payout', async () => {
  for (let n = 0; n < 3; n++) {
    const { sale, id } = await posted([9000])
    await ask(id)
    const { version } = await read(id)
    const reverse = () => send(app, calls.reverse, { id, version }, by(checker))
    const all = await Promise.allSettled([reverse(), reverse(), paidOut(database, sale, 5000)])
    const reversed = all
      .slice(0, 2)
      .filter(one => one.status === 'fulfilled' && (one.value as Said).status === 200).length
    const paid = all[2]!.status === 'fulfilled'
    expect(reversed).toBe(paid ? 0 : 1)
    expect(await held(sale, 'merchant_balance')).toBe(paid ? -4000 : 0)
  }
})
