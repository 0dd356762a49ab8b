import { asc, eq, inArray } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { issueToChannel } from '#src/areas/ecard/channelIssue.server.ts'
import { ecard_channel_card, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { Stopped } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_take, buy_limit_usage } from '#src/areas/limit/limit.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { channelOf, creditCodeFor, faceFor } from '../../help/ecardChannels.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { onlyOwnRules, ruleOf } from '../../help/limits.ts'

let database: Database
beforeAll(async () => {
  database = await openCopy({ poolSize: 12 })
  await onlyOwnRules(database)
})
const now = unixNow()
const CHANNELS = 6
const phones = ['13900417201', '13900417202', '13900417203', '13900417204']

/** Some channels that may each take the same card, which a rule allows a receiver two of. */
const sharing = async () => {
  const channels: number[] = []
  for (let at = 0; at < CHANNELS; at++)
    channels.push(
      (await channelOf(database, { credit_cents: 100_000_00, tax_no: creditCodeFor() })).id,
    )
  const { face, card } = await faceFor(database, channels[0]!, { quota_n: 1000 })
  await database.db
    .insert(ecard_channel_card)
    .values(
      channels
        .slice(1)
        .map(channel_id => ({ channel_id, attr_id: face.id, discount_bp: 5000, quota_n: 1000 })),
    )
  const about = {
    scope_kind: 'product' as const,
    product_kind: 'ecard' as const,
    scope_ids: [card.id],
    dimension: 'receiver' as const,
  }
  const rules = [
    await ruleOf(database.db, { ...about, per: 'week' }),
    await ruleOf(database.db, { ...about, qty: 50 }),
  ]
  const issue = (channel_id: number, to: readonly string[]) =>
    database.transaction(async tx =>
      issueToChannel(tx, await sealerFor({ db: tx }), {
        channel_id,
        attr_id: face.id,
        n: to.length,
        receivers: to.map(phone => ({ name: '收卡人', phone, n: 1 })),
        made_by: null,
        now,
      }),
    )
  const used = async () =>
    (
      await database.db
        .select({ rule_id: buy_limit_usage.rule_id, qty: buy_limit_usage.qty })
        .from(buy_limit_usage)
        .where(
          inArray(
            buy_limit_usage.rule_id,
            rules.map(rule => rule.id),
          ),
        )
    ).toSorted((a, b) => a.rule_id - b.rule_id)
  return { channels, rules, issue, used }
}

onlyOn('postgres')('at the same moment', () => {
  it('channels issue to the same receivers in opposite orders: two of each get through, and none waits for ever', async () => {
    const { channels, rules, issue, used } = await sharing()
    const said = await Promise.allSettled(
      channels.map((id, at) => issue(id, at % 2 ? phones : phones.toReversed())),
    )
    const won = said.flatMap(one => (one.status === 'fulfilled' ? [one.value.issue.order_id!] : []))
    expect(won).toHaveLength(2)
    for (const one of said)
      if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Stopped)
    expect((await used()).map(row => row.qty)).toEqual([2, 2, 2, 2, 2, 2, 2, 2])

    // Every card goes back by itself and two at a time, while others are issued.
    const cards = await database.db
      .select({ id: ecard_code.id, order_id: ecard_code.order_id })
      .from(ecard_code)
      .where(inArray(ecard_code.order_id, won))
      .orderBy(asc(ecard_code.id))
    const back = (order_id: number, ids: readonly number[]) =>
      database.transaction(tx =>
        openRefund(tx, {
          order_id,
          wanted: { cards: ids },
          source: 'system',
          cause: 'channel_back',
          reason: '同时退卡',
          actor: { type: 'channel' },
          now,
        }),
      )
    const refunds = won.flatMap(order_id => {
      const [a, b, c] = cards.filter(card => card.order_id === order_id).map(card => card.id)
      return [back(order_id, [a!]), back(order_id, [c!, b!])]
    })
    const both = await Promise.allSettled([
      ...refunds,
      ...channels.map((id, at) => issue(id, [phones[at % 4]!, phones[(at + 1) % 4]!])),
    ])
    expect(both.slice(0, refunds.length).every(one => one.status === 'fulfilled')).toBe(true)
    for (const one of both)
      if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(Stopped)
    for (const { rule_id, qty } of await used())
      if (rule_id === rules[0]!.id) expect(qty).toBeLessThanOrEqual(2)
    const takes = await database.db
      .select()
      .from(buy_limit_take)
      .where(eq(buy_limit_take.rule_id, rules[0]!.id))
    const left = takes.reduce((sum, one) => sum + one.qty - one.returned, 0)
    expect((await used()).filter(row => row.rule_id === rules[0]!.id)).toSatisfy(
      (rows: { qty: number }[]) => rows.reduce((sum, row) => sum + row.qty, 0) === left,
    )
  }, 60_000)
})
