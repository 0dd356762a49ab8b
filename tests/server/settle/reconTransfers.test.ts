import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { fundFoot, fundHead, writeTradeBill } from '#src/areas/reconcile/bills.ts'
import { recon_item } from '#src/areas/reconcile/reconcile.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { yuan } from '#src/domain/money.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { recon as calls } from '#src/modules/settle/contract/recon.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant } from '../../help/merchants.ts'

type Withdrawal = typeof withdrawal.$inferSelect
let database: Database
let app: App
let token: string
let merchant_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  token = (await addStaff(database, { perms: ['settle.flow.*'] })).token
  merchant_id = (await freshMerchant(database)).id
})
const done = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await send(app, what, input, { token })
  expect(said.status, said.message).toBe(200)
  return said.data
}
let days = 0
/** A day that no demo and no other test has money on. */
const newDay = () => dateOf(momentNamed('2012-03-01')! + days++ * DAY)
let numbers = 0
/** A withdrawal that WeChat paid on a day. */
const paidOn = async (day: string, more: Partial<typeof withdrawal.$inferInsert> = {}) => {
  const n = ++numbers
  const at = momentNamed(day)! + 3600 + n
  const [row] = await database.db
    .insert(withdrawal)
    .values({
      no: `RT90417_${n}`,
      owner_kind: 'merchant',
      owner_id: merchant_id,
      amount_cents: 8000,
      fee_cents: 100,
      net_cents: 7900,
      channel: 'wechat_transfer',
      payee_name: '测试',
      payee_no: 'o1',
      status: 'paid',
      out_bill_no: `RT90417_${n}R1`,
      channel_no: `13390417${n}`,
      applied_at: at - 600,
      paid_at: at,
      ...more,
    })
    .returning()
  return row!
}
type Line = { no: string; channel_no: string; cents: number }
const lineOf = (of: Withdrawal, cents = of.net_cents): Line => ({
  no: of.out_bill_no!,
  channel_no: of.channel_no ?? `13390417x${of.id}`,
  cents,
})
const lineText = (day: string, kind: string, { no, channel_no, cents }: Line): string =>
  `\`${day} 12:00:00,\`${channel_no},\`F${channel_no},\`${kind},\`${kind},\`支出,\`${yuan(cents).replaceAll(',', '')},\`100.00,\`system,\`佣金,\`${no}`
/** A fund bill of transfers as WeChat Pay writes it, with what went to the bank that day. */
const fundBill = (day: string, lines: readonly Line[]): string =>
  [
    `\uFEFF${fundHead}`,
    lineText(day, '提现', { no: `S${day}`, channel_no: `S${day}`, cents: 1 }),
    ...lines.map(line => lineText(day, '商家转账', line)),
    fundFoot,
    `\`${lines.length + 1},\`0,\`0.00,\`${lines.length + 1},\`${yuan(1 + lines.reduce((sum, one) => sum + one.cents, 0)).replaceAll(',', '')}`,
    '',
  ].join('\r\n')
const imported = async (day: string, lines: readonly Line[]) => {
  const bill_file = Buffer.from(fundBill(day, lines)).toString('base64')
  const { bill_id, fault } = await done(calls.readBill, { day, bill_file })
  expect(fault).toBeNull()
  return done(calls.importBill, { bill_id })
}
const itemsOf = async (day: string) =>
  (
    await database.db
      .select()
      .from(recon_item)
      .where(and(eq(recon_item.day, day), eq(recon_item.kind, 'transfer')))
      .orderBy(recon_item.id)
  ).map(one => [one.our_no, one.diff, one.status])

it('matches what WeChat paid, and makes a case of each difference', async () => {
  const day = newDay()
  const [good, other, under, lost] = [
    await paidOn(day),
    await paidOn(day),
    await paidOn(day, { status: 'paying', paid_at: null, channel_no: null }),
    await paidOn(day),
  ]
  await paidOn(day, { channel: 'bank', out_bill_no: null, channel_no: null })
  const foreign = { no: 'NOBODYS', channel_no: '13990417', cents: 500 }
  const told = await imported(day, [lineOf(good), lineOf(other, 7901), lineOf(under), foreign])
  expect(told).toMatchObject({ added: 5, open: 5 })
  expect(await itemsOf(day)).toEqual([
    [good.out_bill_no, 'matched', 'resolved'],
    [other.out_bill_no, 'amount', 'open'],
    [under.out_bill_no, 'status', 'open'],
    ['NOBODYS', 'missing_ours', 'open'],
    [lost.out_bill_no, 'missing_channel', 'open'],
  ])
  // The channel's answer came late: it is the same on both sides then.
  await database.db
    .update(withdrawal)
    .set({
      status: 'paid',
      paid_at: momentNamed(day)! + 7200,
      channel_no: lineOf(under).channel_no,
    })
    .where(eq(withdrawal.id, under.id))
  await done(calls.autoMatch, { day })
  expect((await itemsOf(day))[2]).toEqual([under.out_bill_no, 'matched', 'resolved'])
})
it('names a number that was given up as missing here: it was paid beside the one that holds', async () => {
  const day = newDay()
  const paid = await paidOn(day)
  const old = { ...lineOf(paid), no: `${paid.no}R0`, channel_no: '13890417' }
  await imported(day, [lineOf(paid), old])
  expect(await itemsOf(day)).toEqual([
    [paid.out_bill_no, 'matched', 'resolved'],
    [old.no, 'missing_ours', 'open'],
  ])
})
it('lacks no transfer while only the trade bill of a day is there', async () => {
  const day = newDay()
  const paid = await paidOn(day)
  await done(calls.importBill, { bill_id: await tradeBill(day) })
  expect(await itemsOf(day)).toEqual([])
  await imported(day, [])
  expect(await itemsOf(day)).toEqual([[paid.out_bill_no, 'missing_channel', 'open']])
  await imported(day, [lineOf(paid)])
  expect(await itemsOf(day)).toEqual([[paid.out_bill_no, 'matched', 'resolved']])
})
const tradeBill = async (day: string): Promise<number> => {
  const bill_file = Buffer.from(writeTradeBill([])).toString('base64')
  return (await done(calls.readBill, { day, bill_file })).bill_id
}
it('is one case where midnight lies between both sides', async () => {
  const [day, next] = [newDay(), newDay()]
  const paid = await paidOn(next, { paid_at: momentNamed(next)! })
  await imported(day, [lineOf(paid)])
  await imported(next, [])
  expect([await itemsOf(day), await itemsOf(next)]).toEqual([
    [[paid.out_bill_no, 'matched', 'resolved']],
    [],
  ])
})
