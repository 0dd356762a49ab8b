import { inArray } from 'drizzle-orm'
import { lineOf, merchants, ours, type PostingLine } from '#src/areas/ledger/ledger.ts'
import type { MoneyPart, MoneyWorld } from '#src/areas/ledger/money.demo.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { withdrawal } from './withdrawal.table.ts'

type Row = typeof withdrawal.$inferInsert & { id: number; applied_at: number }
const LEAST = 100_00
const states = [
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'paid',
  'pending',
  'approved',
  'paying',
  'wait_confirm',
  'failed',
  'rejected',
  'canceled',
] as const
const errors = ['账户余额不足', '收款人实名不符', '超过当日限额']
const banks = ['中国工商银行', '招商银行', '中国建设银行', '浦发银行']

const post = (world: MoneyWorld, row: Row, at: number, what: 'apply' | 'paid' | 'back'): void => {
  const [balance, moving] = [
    merchants('merchant_balance', row.owner_id),
    merchants('merchant_withdrawing', row.owner_id),
  ]
  const lines: Record<typeof what, PostingLine[]> = {
    apply: [...lineOf(balance, row.amount_cents), ...lineOf(moving, -row.amount_cents)],
    back: [...lineOf(moving, row.amount_cents), ...lineOf(balance, -row.amount_cents)],
    paid: [
      ...lineOf(moving, row.amount_cents),
      ...lineOf(ours('bank_cash'), -row.net_cents),
      ...lineOf(ours('withdraw_fee_income'), -(row.fee_cents ?? 0)),
    ],
  }
  world.book.post({
    biz: `withdraw_${what}`,
    biz_id: row.id,
    biz_no: row.no,
    idem_key: `withdraw_${what}:${row.id}`,
    at,
    lines: lines[what],
  })
}
/** Merchants withdraw some of their balance, in every state that a withdrawal can be in. */
const withdrawals: MoneyPart = {
  place: 20,
  branch: 'withdrawals',
  make: async world => {
    const { random, now } = world
    const ids = world.merchant_ids()
    const named =
      ids.length === 0
        ? []
        : await world.db
            .select({ id: merchant.id, name: merchant.name })
            .from(merchant)
            .where(inArray(merchant.id, [...ids]))
    const names = new Map(named.map(one => [one.id, one.name]))
    const rows: Row[] = []
    const apply = (owner_id: number, applied_at: number, status: (typeof states)[number]): void => {
      const left = -world.book.balance(merchants('merchant_balance', owner_id))
      const amount_cents = Math.floor((left * random.int(10, 60)) / 100)
      if (amount_cents < LEAST) return
      const channel = random.pick(['bank', 'bank', 'wechat_transfer', 'alipay', 'offline'] as const)
      const fee_cents = channel === 'bank' ? 200 : 0
      const id = rows.length + 1
      const row: Row = {
        id,
        no: `TX${dateOf(applied_at).replaceAll('-', '')}${String(id).padStart(6, '0')}`,
        owner_kind: 'merchant',
        owner_id,
        amount_cents,
        fee_cents,
        tax_cents: 0,
        net_cents: amount_cents - fee_cents,
        channel,
        payee_name: (names.get(owner_id) ?? '').slice(0, 60),
        payee_no: `6222${random.int(10_000_000, 99_999_999)}${random.int(1000, 9999)}`,
        bank_name: channel === 'bank' ? random.pick(banks) : null,
        channel_error: status === 'failed' ? errors[id % errors.length]! : null,
        status,
        applied_at,
        reviewed_at: status === 'pending' ? null : Math.min(now, applied_at + 5000),
        paid_at: status === 'paid' ? Math.min(now, applied_at + DAY) : null,
        created_at: applied_at,
      }
      rows.push(row)
      post(world, row, applied_at, 'apply')
      if (row.paid_at) world.at(row.paid_at, () => post(world, row, row.paid_at!, 'paid'))
      if (status === 'rejected' || status === 'canceled')
        world.at(row.reviewed_at!, () => post(world, row, row.reviewed_at!, 'back'))
    }
    let made = 0
    for (const id of ids)
      for (let n = random.int(1, 6); n > 0; n--) {
        const status = states[made++ % states.length]!
        const days = status === 'pending' ? random.int(1, 3) : random.int(2, 60)
        const at = now - days * DAY + random.int(0, 40_000)
        world.at(at, () => apply(id, at, status))
      }
    return { run: () => {}, insert: () => insertRows(world.db, withdrawal, rows) }
  },
}
export const money: readonly MoneyPart[] = [withdrawals]
