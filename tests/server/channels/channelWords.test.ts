import { beforeAll, describe, expect, it } from 'vitest'
import { embeddedPay } from '#src/areas/payment/embeddedPay.channel.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { embeddedTransfer } from '#src/areas/payout/embeddedTransfer.channel.ts'
import { transferFaults } from '#src/areas/payout/transferFault.ts'
import { embeddedSharing } from '#src/areas/split/embeddedSharing.channel.ts'
import { sharingFaults } from '#src/areas/split/sharingFault.ts'
import { joined, saidIn, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'

let database: Database
const now = unixNow()
const clock = { now: () => now }
beforeAll(async () => {
  database = await openCopy()
})
/** Every code that a table knows, with the words for it. */
const codesOf = (table: Readonly<Record<string, Text>>) => Object.entries(table)
const said = (text: string) => [saidIn(text, 'zh'), saidIn(text, 'en')]

describe('every refusal of the embedded channel is told in both languages', () => {
  it('of a refund', async () => {
    const channel = embeddedPay(database, clock)
    for (const [code, text] of codesOf(payFaults)) {
      const [out_no, payment_no] = [`RW-${code}`, `PW-${code}`]
      await channel.plan(out_no, { fail: code, delay_s: 0 })
      const money = { amount_cents: 100, paid_cents: 100, reason: '' }
      const answer = await channel.refund({ out_no, payment_no, ...money })
      expect(answer).toEqual({ state: 'failed', code, text: joined(text) })
    }
  })
  it('of a transfer', async () => {
    const channel = embeddedTransfer(database, clock)
    for (const [code, text] of codesOf(transferFaults)) {
      const out_bill_no = `TW-${code}`
      await channel.plan(out_bill_no, { fail: code, delay_s: 0 })
      const payee = { payee_no: 'o-1', payee_name: '王一', remark: '提现' }
      const answer = await channel.transfer({ out_bill_no, amount_cents: 100, ...payee })
      expect(answer).toMatchObject({ state: 'failed', code })
      expect(said((answer as { text: string }).text)).toEqual([...text])
    }
  })
  it('of a share', async () => {
    const channel = embeddedSharing(database, clock)
    for (const [code, text] of codesOf(sharingFaults)) {
      const transaction_no = `SW-${code}`
      await channel.plan(transaction_no, { fails: { '*': code }, delay_s: 0 })
      const answer = await channel.share({
        sub_mchid: '1900000109',
        transaction_no,
        out_no: `R${transaction_no}`,
        shares: [{ person: true, account: 'o-1', name: '王一', amount_cents: 100 }],
      })
      expect(answer).toMatchObject({ shares: [{ state: 'failed', code, text: joined(text) }] })
    }
  })
  it('and so is a code that nobody here knows', async () => {
    const channel = embeddedPay(database, clock)
    await channel.plan('RW-new', { fail: 'NEW_CODE' })
    const money = { amount_cents: 100, paid_cents: 100, reason: '' }
    const answer = await channel.refund({ out_no: 'RW-new', payment_no: 'PW-new', ...money })
    expect(said((answer as { text: string }).text)).toEqual([
      '渠道拒绝，未说明原因（NEW_CODE）',
      'The channel refused and gave no reason (NEW_CODE)',
    ])
  })
})
