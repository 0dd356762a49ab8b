import { eq, sql } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { combo } from '#src/areas/combo/combo.table.ts'
import { refundParts, replacePart } from '#src/areas/combo/combos.server.ts'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { bindMember, decideBind, unbindMember } from '#src/areas/member/visitors.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { order_bind } from '#src/areas/order/trail.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { approvePartial } from '#src/areas/refund/refundBundle.server.ts'
import { approveRefund } from '#src/areas/refund/refundCases.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { broken } from '../../help/invariants.ts'
import { freshProduct } from '../../help/trade.ts'

const ROUNDS = 6
onlyOn('postgres')('at the same moment', () => {
  let database: Database
  let parts: [number, number]
  let combo_id: number
  let phone = 0
  beforeAll(async () => {
    database = await openCopy({ poolSize: 20 })
    const fresh = async () => {
      const { item } = await database.transaction(tx => freshProduct(tx, 'bulks'))
      await database.db
        .update(product)
        .set({ stock: 100_000, price_cents: 50_00, city_id: 1 })
        .where(eq(product.id, item.id))
      return item.id
    }
    parts = [await fresh(), await fresh()]
    combo_id = (
      await database.db
        .insert(combo)
        .values({ name: '并发套餐', policy: 'part', price_cents: 80_00, parts: [], status: 'on' })
        .returning()
    )[0]!.id
  })
  const bundle = async () => {
    const id = await database.transaction(async tx => {
      const row = await placeOrder(tx, {
        proved: true,
        lines: parts.map(product_id => ({ product_id, qty: 1 })),
        combo_id,
        member_id: 5,
        now: unixNow() - 60,
      })
      await payOrder(tx, row.id, unixNow() - 50)
      return row.id
    })
    return {
      id,
      items: await database.db
        .select()
        .from(order_item)
        .where(eq(order_item.order_id, id))
        .orderBy(order_item.id),
      codes: await database.db
        .select()
        .from(order_code)
        .where(eq(order_code.order_id, id))
        .orderBy(order_code.id),
    }
  }
  const visitor = () =>
    database.transaction(async tx => {
      const row = await placeOrder(tx, {
        proved: true,
        product_id: parts[0],
        qty: 1,
        member_id: null,
        visitor: { phone: `1770000${String(1000 + ++phone)}` },
        now: unixNow() - 60,
      })
      await payOrder(tx, row.id, unixNow() - 50)
      return row.id
    })
  const stranger = async () =>
    (
      await database.db
        .insert(member)
        .values({
          uid: `RCQ_${++phone}`,
          nickname: '并发',
          phone: `1780000${String(1000 + phone)}`,
          city_id: 1,
          register_at: unixNow() - 9_000_000,
        })
        .returning()
    )[0]!.id
  const atOnce = (works: readonly (() => Promise<unknown>)[]): Promise<string[]> =>
    Promise.all(
      works.map(work =>
        work().then(
          done => (done === undefined ? 'no' : 'done'),
          (error: unknown) => {
            if (error instanceof Refusal) return String(error.data['rule'] ?? error.status)
            throw error
          },
        ),
      ),
    )
  const held =
    <T>(
      id: number,
      act: (
        tx: Parameters<Parameters<Database['transaction']>[0]>[0],
        row: Awaited<ReturnType<typeof holdWithGroup>>['row'],
      ) => Promise<T>,
    ) =>
    () =>
      database.transaction(async tx => act(tx, (await holdWithGroup(tx, id)).row))

  it('two who decide one case: one has decided it, the other is told; its parts are locked once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, items } = await bundle()
      const made = await database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: 'all',
          source: 'member',
          reason: '退款',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      )
      const step = (who: number) => ({
        id: made.id,
        version: made.version,
        now: unixNow(),
        by: { id: who, limit_cents: 1e9 },
      })
      expect(
        (
          await atOnce([
            () => database.transaction(tx => approveRefund(tx, step(1))),
            () =>
              database.transaction(tx =>
                approvePartial(tx, {
                  ...step(2),
                  item_ids: [items[0]!.id],
                  reason: '一项',
                  override: false,
                }),
              ),
          ])
        ).sort(),
      ).toEqual(['done', 'stale'])
    }
  })
  it('a part is redeemed, given back or replaced: one of them', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, items, codes } = await bundle()
      const said = await atOnce([
        () =>
          database.transaction(tx =>
            redeem(tx, { code_id: codes[0]!.id, store_id: 1, now: unixNow() }),
          ),
        held(id, (tx, row) =>
          refundParts(tx, row, {
            items: [items[0]!.id],
            override: false,
            reason: '退款',
            by: { id: 1, limit_cents: 1e9 },
            idem_key: `race:${id}`,
            now: unixNow(),
          }),
        ),
        held(id, (tx, row) =>
          replacePart(tx, row, {
            item_id: items[0]!.id,
            product_id: parts[1],
            actor: { type: 'staff', id: 1 },
            reason: '更换',
            now: unixNow(),
          }),
        ),
      ])
      const [used] = await database.db
        .select({ n: sql<number>`sum(times_used)::int` })
        .from(order_code)
        .where(eq(order_code.item_id, items[0]!.id))
      const cases = (await database.db.select().from(refund).where(eq(refund.order_id, id))).length
      expect(used!.n + cases).toBeLessThanOrEqual(1)
      expect([said[0] === 'done', said[1] === 'done']).toEqual([used!.n === 1, cases === 1])
    }
  })
  it('a sum that was read before a part was redeemed is never paid unseen', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { id, codes } = await bundle()
      const made = await database.transaction(tx =>
        openRefund(tx, {
          order_id: id,
          wanted: { codes: [{ id: codes[1]!.id }] },
          source: 'member',
          reason: '退款',
          actor: { type: 'member' },
          now: unixNow(),
        }),
      )
      const seen = {
        amount_cents: made.amount_cents,
        used_cents: 0,
        single_cents: made.amount_cents,
      }
      const [used, decided] = await atOnce([
        () =>
          database.transaction(tx =>
            redeem(tx, { code_id: codes[0]!.id, store_id: 1, now: unixNow() }),
          ),
        () =>
          database.transaction(tx =>
            approveRefund(tx, {
              id: made.id,
              version: made.version,
              now: unixNow(),
              by: { id: 1, limit_cents: 1e9 },
              seen,
            }),
          ),
      ])
      expect(used).toBe('done')
      expect(['done', 'stale']).toContain(decided)
      expect(
        (await database.db.select().from(refund).where(eq(refund.id, made.id)))[0]!.state,
      ).toBe(decided === 'done' ? 'paying' : 'applied')
    }
  })
  it('of two who bind one order one does, of two who confirm one does, and who undoes it meanwhile leaves it whole', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [id, a, b] = [await visitor(), await stranger(), await stranger()]
      const now = unixNow()
      expect(
        (
          await atOnce(
            [a, b].map((member_id, at) =>
              held(id, (tx, row) =>
                bindMember(tx, row, { member_id, id: 1 + at, reason: '绑定', now }),
              ),
            ),
          )
        ).sort(),
      ).toEqual(['asked', 'done'])
      expect(
        (
          await atOnce(
            [7, 8].map(who =>
              held(id, (tx, row) =>
                decideBind(tx, row, { id: who, reason: '同意', now, agree: true }),
              ),
            ),
          )
        ).sort(),
      ).toEqual(['done', 'nothing_asked'])
      const [code] = await database.db.select().from(order_code).where(eq(order_code.order_id, id))
      const [undone, used] = await atOnce([
        held(id, (tx, row) => unbindMember(tx, row, { id: 7, reason: '绑错', now: now + 1 })),
        () =>
          database.transaction(tx => redeem(tx, { code_id: code!.id, store_id: 1, now: now + 1 })),
      ])
      expect(used).toBe('done')
      const [row] = await database.db.select().from(order).where(eq(order.id, id))
      expect(row!.member_id === null).toBe(undone === 'done')
      expect(
        (await database.db.select().from(order_bind).where(eq(order_bind.order_id, id))).map(
          one => one.state,
        ),
      ).toEqual([undone === 'done' ? 'undone' : 'bound'])
    }
  })
  it('and every sum holds afterwards', async () => {
    expect(await broken(database)).toEqual({})
  })
})
