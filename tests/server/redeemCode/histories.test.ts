import { and, eq, isNull, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { ledgerOf, spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { beginRun, generateSome, voidSome } from '#src/areas/redeemCode/batches.server.ts'
import type { Granted } from '#src/areas/redeemCode/granted.ts'
import { redeemCode, type Member } from '#src/areas/redeemCode/redeem.server.ts'
import { code_batch, redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { reissueSuccess, revokeSuccess } from '#src/areas/redeemCode/revoking.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp } from '../../help/app.ts'
import { facedCard, freeCodes } from '../../help/ecardCodes.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'

let database: Database
let app: App
let sealer: Sealer
let staff_id: number
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  sealer = await sealerOf(app.install.codeKeys, database.db)
  staff_id = (await addStaff(database)).id
})
const now = unixNow()
const APPROVED = 6
const COUPONS = 8
/** Fewer than codes: some redemptions find none, and what came back is given to nobody again. */
const CARDS = 5
type World = {
  batch_id: number
  coupon_id: number
  attr_id: number
  people: Member[]
  shared: boolean
}
type Step = {
  what: 'generate' | 'redeem' | 'guess' | 'void' | 'revoke' | 'reissue' | 'use'
  at: number
  by: number
}
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom(
    'generate' as const,
    'redeem' as const,
    'redeem' as const,
    'redeem' as const,
    'guess' as const,
    'void' as const,
    'revoke' as const,
    'reissue' as const,
    'use' as const,
  ),
  at: fc.nat(APPROVED - 1),
  by: fc.nat(2),
})

const codeAt = async (tx: Db, { batch_id }: World, at: number) => {
  const rows = await tx
    .select()
    .from(redeem_code)
    .where(eq(redeem_code.batch_id, batch_id))
    .orderBy(redeem_code.seq)
  return rows[at % Math.max(1, rows.length)]
}
const logAt = async (tx: Db, { batch_id }: World, at: number) => {
  const rows = await tx
    .select()
    .from(redeem_log)
    .where(and(eq(redeem_log.batch_id, batch_id), eq(redeem_log.result, 'ok')))
    .orderBy(redeem_log.id)
  return rows[at % Math.max(1, rows.length)]
}
const doStep = async (tx: Db, of: World, { what, at, by }: Step): Promise<void> => {
  const { batch_id } = of
  const reason = '随机'
  const code = await codeAt(tx, of, at)
  const log = await logAt(tx, of, at)
  switch (what) {
    case 'generate': {
      const n = 1 + (at % 3)
      const run = await beginRun(tx, { batch_id, kind: 'generate', qty: n, admin_id: staff_id })
      return generateSome(tx, sealer, { batch_id, run_no: run.run_no, n, now })
    }
    case 'redeem':
    case 'guess': {
      if (!code) return
      await redeemCode(tx, sealer, {
        code: what === 'guess' ? 'WRNG2345' : sealer.open(code.code_sealed, code.code_hash),
        member: of.people[by]!,
        channel: 'mini',
        staff_id: null,
        mall_id: 0,
        device_id: '',
        ip: '',
        // Slow enough to be locked by nobody.
        now,
      })
      return
    }
    case 'void':
      await voidSome(tx, { batch_id, from: at, n: 1, reason, admin_id: staff_id, now })
      return
    case 'revoke':
      if (log) await revokeSuccess(tx, log, { staff_id, now, reason, reopen: by > 0 })
      return
    case 'reissue':
      if (log) await reissueSuccess(tx, log, { staff_id, now, reason })
      return
    case 'use':
      if (log?.granted && by === 2)
        await spendCode(tx, {
          code_id: log.granted.card!.code_id,
          amount_cents: 1,
          ref: { type: 'test', id: log.id },
          now,
        })
      else if (log?.granted)
        await tx
          .update(coupon_grant)
          .set({ status: by === 0 ? 'expired' : 'used' })
          .where(
            and(eq(coupon_grant.code, log.granted.coupons[0]!), eq(coupon_grant.status, 'unused')),
          )
  }
}
/** Steps at once, each in a transaction of its own; what is refused leaves nothing. */
const together = (of: World, steps: readonly Step[]) =>
  Promise.all(
    steps.map(one =>
      database
        .transaction(tx => doStep(tx, of, one))
        .catch((error: unknown) => {
          if (!(error instanceof Refusal)) throw error
        }),
    ),
  )
/** Each success that stands has a card of its own, and what came back is void and free of money. */
const cardsHold = async (
  attr_id: number,
  successes: readonly { granted: Granted | null }[],
): Promise<void> => {
  const { db } = database
  const cards = await db
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.attr_id, attr_id))
    .orderBy(ecard_code.id)
  const held = cards.filter(card => card.state === 'active')
  expect(held.map(card => card.id)).toEqual(
    successes.map(log => log.granted!.card!.code_id).toSorted((a, b) => a - b),
  )
  for (const card of cards.filter(one => one.state !== 'free' && one.state !== 'active'))
    expect([card.state, card.balance_cents]).toEqual(['void', 0])
  const [face] = await db.select().from(ecard_attr).where(eq(ecard_attr.id, attr_id))
  const n = (state: string) => cards.filter(card => card.state === state).length
  expect([face!.free_n, face!.sold_n, face!.void_n]).toEqual([n('free'), n('active'), n('void')])
  const ledger = await ledgerOf(
    db,
    cards.map(card => card.id),
  )
  for (const card of cards) {
    const sum = ledger
      .filter(row => row.code_id === card.id)
      .reduce((all, row) => all + row.amount_cents, 0)
    expect(sum).toBe(card.balance_cents)
  }
  const { rows } = await db.execute<{ cents: string }>(
    sql`select coalesce(sum(case t.biz when 'card_gift' then t.amount_cents else -t.amount_cents end), 0) cents from ledger_txn t join ecard_code c on c.id = t.biz_id and t.biz in ('card_gift', 'card_gift_back') where c.attr_id = ${attr_id}`,
  )
  expect(Number(rows[0]!.cents)).toBe(held.reduce((all, card) => all + card.face_cents, 0))
}
const holds = async ({ batch_id, coupon_id, attr_id, shared }: World): Promise<void> => {
  const { db } = database
  const [batch] = await db.select().from(code_batch).where(eq(code_batch.id, batch_id))
  const codes = await db.select().from(redeem_code).where(eq(redeem_code.batch_id, batch_id))
  const successes = await db
    .select()
    .from(redeem_log)
    .where(
      and(
        eq(redeem_log.batch_id, batch_id),
        eq(redeem_log.result, 'ok'),
        isNull(redeem_log.revoked_at),
      ),
    )
  await cardsHold(attr_id, successes)
  expect(codes.length).toBe(batch!.generated)
  expect(batch!.generated).toBeLessThanOrEqual(APPROVED)
  expect(new Set(codes.map(code => code.code_hash)).size).toBe(codes.length)
  expect(batch!.redeemed).toBe(successes.length)
  expect(batch!.voided).toBe(codes.filter(code => code.state === 'voided').length)
  for (const code of codes) {
    const own = successes.filter(log => log.code_id === code.id).length
    expect(code.used_times).toBe(own)
    expect(own).toBeLessThanOrEqual(shared ? 2 : 1)
    expect(code.state === 'redeemed').toBe(own === (shared ? 2 : 1))
  }
  const [given] = await db.select().from(coupon).where(eq(coupon.id, coupon_id))
  const grants = await db.select().from(coupon_grant).where(eq(coupon_grant.coupon_id, coupon_id))
  // A piece that was taken back was given all the same.
  expect(given!.claimed_count).toBe(grants.length)
  expect(given!.claimed_count).toBeLessThanOrEqual(COUPONS)
  const { rows } = await db.execute<{ off: number }>(
    sql`select count(*)::int "off" from ${member} m where m.points <> (select coalesce(sum(remain), 0) from points_lot l where l.member_id = m.id)`,
  )
  expect(rows[0]!.off).toBe(0)
}

it('a one-time code succeeds once, failures consume nothing, and no more is made than approved, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 4, maxLength: 10 }),
      async (shared, rounds) => {
        const own = await couponOf(database, { total: COUPONS })
        const stock = await facedCard(database)
        await freeCodes(database, stock, CARDS)
        const attr_id = stock.face.id
        const { batch } = await batchOf(database, app, {
          codes: 2,
          created_by: staff_id,
          quantity: APPROVED,
          coupon_ids: [own.id],
          points: 5,
          ecard_attr_id: attr_id,
          start_at: now - DAY,
          ...(shared && { code_kind: 'shared' as const, use_limit: 2 }),
        })
        const people = await membersOf(database, 3)
        const of = { batch_id: batch.id, coupon_id: own.id, attr_id, people, shared }
        for (const round of rounds) {
          await together(of, round)
          await holds(of)
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  )
}, 120_000)
