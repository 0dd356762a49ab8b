import { sql } from 'drizzle-orm'
import { runRule } from '#src/areas/risk/risk.server.ts'
import { risk_rule } from '#src/areas/risk/risk.table.ts'
import type { RiskMetric } from '#src/areas/risk/risk.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'

const rules: readonly (readonly [
  name: string,
  metric: RiskMetric,
  threshold: number,
  window_s: number,
])[] = [
  ['同一付款人大量购卡', 'cards_bought', 3, 7 * DAY],
  ['夜间集中购卡', 'card_night', 2, 6 * HOUR],
  ['多人付款一人持卡', 'card_payers', 3, 7 * DAY],
  ['卡密猜测', 'card_guesses', 10, HOUR],
  ['即买即消费', 'card_cashed', 3, DAY],
]
/** An address tries wrong secrets of sold cards for an hour. */
const guess = (db: Db, { now, memberCount }: World) =>
  db.execute(sql`
    insert into ecard_try (created_at, code_id, card_no, member_id, device_id, ip, result)
    select ${now - 2 * DAY}::bigint + n * 90, e.id, e.card_no, ${Math.min(9, memberCount)}, 'dev-card-guess', '10.66.8.8', case when n <= 20 then 'wrong' else 'locked' end
    from (select id, card_no, (row_number() over (order by id))::int n from (select id, card_no from ecard_code where state = 'sold' order by id limit 36) own) e`)
/** Cards of one holder that were spent within the hour of their sale. */
const cash = async (db: Db, { now, memberCount }: World): Promise<void> => {
  const holder = Math.min(11, memberCount)
  const { rows } = await db.execute<{ id: number }>(
    sql`select id from ecard_code where state = 'sold' and shown_at is null and order_id is null order by id desc limit 6`,
  )
  for (const [at, { id }] of rows.entries()) {
    const sold = now - DAY + at * 300
    await db.execute(
      sql`update ecard_code set state = 'active', sold_at = ${sold}::bigint, activated_at = ${sold + 60}::bigint, shown_at = ${sold + 30}::bigint, holder_id = ${holder}, balance_cents = face_cents - face_cents / 2 where id = ${id}`,
    )
    await db.execute(sql`insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents, ref_type, ref_id)
      select activated_at, 'code', id, 'activate', face_cents, face_cents, 'code', id from ecard_code where id = ${id}`)
    await db.execute(sql`insert into ecard_ledger (created_at, owner, code_id, type, amount_cents, balance_after_cents, reason)
      select activated_at + 600, 'code', id, 'spend', -(face_cents / 2), balance_cents, '门店消费' from ecard_code where id = ${id}`)
  }
}
/** Confirms one hit of cards that nobody has had, so that the demo has money to force back. */
const confirmOne = (db: Db, { now }: World) =>
  db.execute(sql`
    update risk_hit set state = 'confirmed', decided_by = 3, decided_at = ${now - HOUR}::bigint, reason = '付款卡异常，持卡人无法说明用途'
    where id = (
      select h.id from risk_hit h join lateral (select o.id from "order" o join ecard_code e on e.order_id = o.id join ecard c on c.id = e.card_id
        where h.order_ids @> to_jsonb(o.id) and o.kind = 'ecard' and o.pay_state = 'paid' and not o.frozen
        and e.state = 'sold' and e.shown_at is null and e.holder_id is null and e.gift_state = 'none' and c.refund_rule = 'unused' and not exists (select 1 from ecard_code g where g.order_id = o.id and g.gift_state <> 'none') limit 1) own on true
      where h.scene = 'ecard' and h.state = 'open' order by h.id desc limit 1)`)
/** The rules of e-cards, and the hits they make of the demo’s own cards. */
const seedRisk = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now } = world
  const codes = await db.execute<{ n: number }>(sql`select count(*)::int n from ecard_code`)
  if (codes.rows[0]!.n > 0) {
    await guess(db, world)
    await cash(db, world)
  }
  for (const [name, metric, threshold, window_s] of rules) {
    const [rule] = await db
      .insert(risk_rule)
      .values({
        name,
        scene: 'ecard',
        condition: { metric },
        threshold,
        window_s,
        action: 'mark',
        status: 'on',
        measured_until: now - 30 * DAY,
        created_at: now - 60 * DAY,
      })
      .returning()
    await runRule(db, rule!.id, now - 60)
  }
  await confirmOne(db, world)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [{ place: 98, branch: 'e-card-risk', run: seedRisk }]
