import { sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { bookWithdrawals } from '#src/areas/payout/oldWithdrawals.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { freshMerchant } from '../../help/merchants.ts'

const now = unixNow()
let database: Database
beforeAll(async () => {
  database = await openCopy()
}, 120_000)

it('withdrawals of before the journal are posted as they stand, once, and one too many is named', async () => {
  const owner = await freshMerchant(database)
  await database.transaction(tx =>
    post(tx, {
      biz: 'charge_in',
      biz_id: 1,
      biz_no: 'T',
      idem_key: `test:old:${owner.id}`,
      at: now,
      lines: [
        ...lineOf(ours('bank_cash'), 1000_00),
        ...lineOf(merchants('merchant_balance', owner.id), -1000_00),
      ],
    }),
  )
  const [top] = (
    await database.db.execute<{ order: number; withdrawal: number }>(
      sql`select (select max(id) from "order") "order", (select max(id) from withdrawal) withdrawal`,
    )
  ).rows
  await database.db
    .insert(setting)
    .values([
      { key: 'ledger_booked_to', value: Number(top!.order) },
      { key: 'ledger_withdrawn_to', value: Number(top!.withdrawal) },
    ])
    .onConflictDoUpdate({ target: setting.key, set: { value: sql`excluded.value` } })
  const of = (
    no: string,
    amount_cents: number,
    more: Pick<typeof withdrawal.$inferInsert, 'status' | 'paid_at' | 'reviewed_at'>,
  ) => ({
    no: `${no}${owner.id}`,
    owner_kind: 'merchant' as const,
    owner_id: owner.id,
    amount_cents,
    fee_cents: 2_00,
    net_cents: amount_cents - 2_00,
    channel: 'bank' as const,
    payee_name: owner.name,
    payee_no: '6222000000000000',
    applied_at: now - 9 * DAY,
    ...more,
  })
  await database.db
    .insert(withdrawal)
    .values([
      of('OLDA', 100_00, { status: 'paid', paid_at: now - 8 * DAY }),
      of('OLDB', 200_00, { status: 'pending' }),
      of('OLDC', 300_00, { status: 'rejected', reviewed_at: now - 8 * DAY }),
      of('OLDD', 5000_00, { status: 'pending' }),
    ])
  const told: unknown[] = []
  const log = { error: (what: object) => void told.push(what) }
  const book = () => bookWithdrawals({ database, log: log as never })
  expect(await book()).toBe(4)
  expect(told.length).toBe(1)
  const held = async () => [
    await balanceOf(database.db, merchants('merchant_balance', owner.id)),
    await balanceOf(database.db, merchants('merchant_withdrawing', owner.id)),
  ]
  expect(await held()).toEqual([-700_00, -200_00])
  expect(await book()).toBe(0)
  await database.db
    .update(setting)
    .set({ value: Number(top!.withdrawal) })
    .where(sql`key = 'ledger_withdrawn_to'`)
  await book()
  expect(await held()).toEqual([-700_00, -200_00])
})
