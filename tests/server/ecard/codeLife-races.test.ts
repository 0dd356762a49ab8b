import { eq } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import {
  activateCode,
  freezeCodes,
  holdCodes,
  ledgerOf,
  refundCodes,
  sellCodes,
  spendCode,
  voidCodes,
} from '#src/areas/ecard/codeLife.server.ts'
import { ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff } from '../../help/app.ts'
import { codeRow, facedCard, freeCodes, orderNo, sealerFor } from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

const now = unixNow()
/** What came of calls at once: what those that got through answered, and what the others were told. */
const outcome = <T>(all: readonly PromiseSettledResult<T>[]) => {
  const lost = all.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
  for (const error of lost) expect(error).toBeInstanceOf(Refusal)
  return {
    won: all.flatMap(one => (one.status === 'fulfilled' ? [one.value] : [])),
    told: lost.map(error => (error as Refusal).message),
  }
}

onlyOn('postgres')('at the same moment, on two servers', () => {
  let servers: [Database, Database]
  beforeAll(async () => {
    const copy = await copyOfTemplate()
    const open = () => openDatabase({ ...copy.options, poolSize: 12 })
    servers = [await open(), await open()]
    atEnd(async () => {
      await servers[0].close()
      await servers[1].close()
      await copy.remove()
    })
  })
  const at = (n: number) => servers[n % 2]!
  const bought = async () => {
    const of = await facedCard(servers[0], { source: 'generate' })
    const sealer = await sealerFor(servers[0])
    const order_id = orderNo()
    return servers[0].transaction(async tx => {
      await holdCodes(tx, sealer, { attr_id: of.face.id, n: 1, order_id, now })
      return (await sellCodes(tx, order_id, now))[0]!.id
    })
  }
  const person = async () => (await membersOf(servers[0]))[0]!.id

  it('200 orders of the last code: one has it, the others are told', async () => {
    const of = await facedCard(servers[0])
    await freeCodes(servers[0], of, 1)
    const sealer = await sealerFor(servers[0])
    const { won, told } = outcome(
      await Promise.allSettled(
        Array.from({ length: 200 }, (_, n) =>
          at(n).transaction(tx =>
            holdCodes(tx, sealer, { attr_id: of.face.id, n: 1, order_id: orderNo(), now }),
          ),
        ),
      ),
    )
    expect(won).toHaveLength(1)
    expect(told[0]).toContain('仅剩 0 张')
    const [face] = await servers[1].db
      .select()
      .from(ecard_attr)
      .where(eq(ecard_attr.id, of.face.id))
    expect(face).toMatchObject({ free_n: 0, held_n: 1, sold_n: 0 })
  }, 60_000)

  it('two tills on one card: one takes it, the other hears what is left and when it was spent', async () => {
    const code_id = await bought()
    const member_id = await person()
    await servers[0].transaction(tx => activateCode(tx, { code_id, member_id, now }))
    const till = (id: number) =>
      at(id).transaction(tx =>
        spendCode(tx, { code_id, amount_cents: 60_00, ref: { type: 'till', id }, now }),
      )
    const { won, told } = outcome(
      await Promise.allSettled(Array.from({ length: 20 }, (_, n) => till(n + 1))),
    )
    expect(won).toHaveLength(1)
    expect(told[0]).toMatch(/剩余 40\.00 元，.* 已消费 60\.00 元/)
    expect(await codeRow(servers[1], code_id)).toMatchObject({ balance_cents: 40_00 })
  }, 60_000)

  it('one payment sent by both servers is booked once', async () => {
    const code_id = await bought()
    const member_id = await person()
    await servers[0].transaction(tx => activateCode(tx, { code_id, member_id, now }))
    const { won } = outcome(
      await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) =>
          at(n).transaction(tx =>
            spendCode(tx, { code_id, amount_cents: 30_00, ref: { type: 'till', id: 1 }, now }),
          ),
        ),
      ),
    )
    expect(new Set(won.map(row => row.id)).size).toBe(1)
    expect(await codeRow(servers[1], code_id)).toMatchObject({ balance_cents: 70_00 })
    expect(await ledgerOf(servers[1].db, [code_id])).toHaveLength(2)
  }, 60_000)

  it('a refund and an activation of one card: one wins', async () => {
    for (let round = 0; round < 8; round++) {
      const code_id = await bought()
      const member_id = await person()
      const { won, told } = outcome(
        await Promise.allSettled([
          at(round).transaction(tx => refundCodes(tx, [code_id], now)),
          at(round + 1).transaction(tx => activateCode(tx, { code_id, member_id, now })),
        ]),
      )
      expect([won.length, told.length]).toEqual([1, 1])
      const row = await codeRow(servers[0], code_id)
      expect(row.balance_cents).toBe(row.state === 'active' ? row.face_cents : 0)
      expect(['active', 'refunded']).toContain(row.state)
    }
  }, 60_000)

  it('orders, a freeze and a void of one face wait for each other, and its counts add up', async () => {
    const of = await facedCard(servers[0])
    await freeCodes(servers[0], of, 30)
    const sealer = await sealerFor(servers[0])
    const { id: admin_id } = await addStaff(servers[0])
    const mine = eq(ecard_code.attr_id, of.face.id)
    const by = { admin_id, reason: '测试', now }
    outcome<unknown>(
      await Promise.allSettled([
        ...Array.from({ length: 12 }, (_, n) =>
          at(n).transaction(tx =>
            holdCodes(tx, sealer, { attr_id: of.face.id, n: 2, order_id: orderNo(), now }),
          ),
        ),
        at(0).transaction(tx => freezeCodes(tx, mine, by)),
        at(1).transaction(tx => voidCodes(tx, mine, by)),
      ]),
    )
    const rows = await servers[0].db.select().from(ecard_code).where(mine)
    const [face] = await servers[0].db
      .select()
      .from(ecard_attr)
      .where(eq(ecard_attr.id, of.face.id))
    const of_state = (state: string) => rows.filter(row => row.state === state).length
    expect(face).toMatchObject({
      free_n: of_state('free'),
      held_n: of_state('held'),
      void_n: of_state('frozen') + of_state('void'),
    })
  }, 60_000)
})
