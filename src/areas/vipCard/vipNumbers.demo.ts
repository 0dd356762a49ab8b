import { asc, ne, sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { beginBatch, makeNumbers } from './codes.server.ts'
import { vip_card } from './vipCard.table.ts'

/** Days ago that batches were made, and the days over which numbers were activated. */
const MADE_AGO = 320
const OVER = 300
const told = [
  { channel: '招商银行信用卡权益', full: 3000, reason: '银行权益合作首批' },
  { channel: '中国移动积分商城', full: 2400, reason: '积分兑换合作' },
  { channel: '顺丰同城企业福利平台', full: 1800, reason: '企业采购' },
  { channel: '线下地推活动', full: 1500, reason: '周年庆地推' },
  { channel: '车主俱乐部', full: 1200, reason: '车主权益' },
  { channel: '抖音本地生活直播间', full: 1100, reason: '直播间随单赠送' },
  { channel: '社区团长赠送', full: 1000, reason: '团长激励', ends: 10 },
] as const

/** Batches that were made, one of them about to end; one that waits, and one that was turned down. */
const makeBatches = async (db: Db, world: World, staff: readonly [number, number]) => {
  const { now, scale } = world
  const plans = await db
    .select({ id: vip_card.id })
    .from(vip_card)
    .where(ne(vip_card.status, 'draft'))
    .orderBy(asc(vip_card.id))
  const sealer = await sealerOf(openKeyFile(world.codeKeys!), db)
  const made_at = now - MADE_AGO * DAY
  const common = { maker_id: staff[0], updated_at: made_at }
  for (const [at, { full, ...of }] of told.entries()) {
    const ends = 'ends' in of ? of.ends : 200 + at * 30
    const qty = sized(full, scale, 20)
    const batch = await beginBatch(db, {
      ...common,
      card_id: plans[at % plans.length]!.id,
      qty,
      channel: of.channel,
      reason: of.reason,
      expire_at: now + ends * DAY,
      status: 'making',
      created_at: made_at,
      ...(full > 1000 && { checker_id: staff[1], decided_at: made_at + 3600 }),
      exports: at === 1 ? 2 : 1,
    })
    await makeNumbers(db, sealer, { batch_id: batch.id, n: qty, now: made_at })
  }
  const asked = {
    ...common,
    card_id: plans[1]!.id,
    channel: '春节异业联盟',
    expire_at: now + 365 * DAY,
    created_at: now - 5 * 3600,
  }
  await beginBatch(db, { ...asked, qty: 5000, reason: '春节联名礼盒随附', status: 'asked' })
  await beginBatch(db, {
    ...asked,
    qty: 20_000,
    reason: '渠道备货',
    status: 'rejected',
    checker_id: staff[1],
    decided_at: now - 3600,
    reject_reason: '渠道合同未签，请签约后再制卡',
  })
}
/**
 * What became of numbers, by their place in their batch: a third were activated, each by a member of
 * its own; of the others some are held back, void, or locked by wrong secrets.
 */
const turnNumbers = (db: Db, now: number) =>
  db.execute(sql`
    with placed as (select c.id, (row_number() over (partition by c.batch_id order by c.id) * 7) % 100 n
      from vip_card_code c),
      opened as (select p.id, row_number() over (order by p.id) k from placed p where p.n < 35),
      people as (select id, row_number() over (order by (id::bigint * 7919) % 10007, id) k from member
        where account_state = 'normal'),
      half as (select count(*) / 2 most from people),
      pairs as (select o.id, m.id member_id,
        ${now - OVER * DAY}::bigint + (o.k * 104729 * 60) % ${(OVER - 2) * DAY}::bigint as opened_at
        from opened o join people m on m.k = o.k where o.k <= (select most from half))
    update vip_card_code c set
      status = case when a.id is not null then 'activated' when p.n < 72 then 'issued' when p.n < 76 then 'frozen' when p.n < 79 then 'void' else 'unissued' end,
      member_id = a.member_id, activated_at = a.opened_at,
      reason = case when a.id is not null or p.n < 72 or p.n >= 79 then '' when p.n < 76 then '渠道反馈外泄，核实中' else '印刷错误作废' end,
      wrong_times = case when a.id is null and p.n between 40 and 44 then p.n - 40 else 0 end,
      locked_until = case when a.id is null and p.n = 49 then ${now + 20 * 3600}::bigint end
    from placed p left join pairs a on a.id = p.id where c.id = p.id`)
/** The memberships that were opened by numbers, each with its purchase that cost nothing. */
const openMemberships = async (db: Db, now: number): Promise<void> => {
  await db.execute(sql`
    insert into vip_subscription (member_id, card_id, start_at, end_at, saved_cents, status, created_at, updated_at)
    select c.member_id, c.card_id, c.activated_at, c.activated_at + v.days * ${DAY}::bigint,
      (c.id::bigint * 137) % 9000, case when c.activated_at + v.days * ${DAY}::bigint > ${now} then 'active'
      else 'expired' end, c.activated_at, c.activated_at
    from vip_card_code c join vip_card v on v.id = c.card_id where c.status = 'activated' order by c.id`)
  await db.execute(sql`
    insert into vip_card_order (order_no, member_id, card_id, subscription_id, kind, days, pay_cents,
      start_at, end_at, source, refund_policy, created_at, updated_at)
    select 'VC' || s.start_at || lpad((s.id % 1000000)::text, 6, '0'), s.member_id, s.card_id, s.id, 'code',
      v.days, 0, s.start_at, s.end_at, c.channel, v.refund_policy, s.start_at, s.start_at
    from vip_subscription s join vip_card v on v.id = s.card_id
      join vip_card_code c on c.member_id = s.member_id and c.status = 'activated' order by s.id`)
  await db.execute(
    sql`update vip_card_code c set vip_order_id = o.id from vip_card_order o where o.member_id = c.member_id
      and o.kind = 'code' and c.status = 'activated'`,
  )
  await db.execute(
    sql`update member m set vip_end_at = s.end_at from vip_subscription s where s.member_id = m.id`,
  )
}
const seed = async (db: Db, _: Random, world: World): Promise<void> => {
  if (!world.codeKeys) return
  const active = world.people.filter(one => one.status === 'active')
  const named = (role: string) => active.find(one => one.role === role)?.id
  const maker = named('ops_director') ?? active[0]!.id
  const checker = named('finance') ?? active.find(one => one.id !== maker)!.id
  await makeBatches(db, world, [maker, checker])
  await turnNumbers(db, world.now)
  await openMemberships(db, world.now)
  await afterIds(db)
}
export const demo: readonly DemoStep[] = [{ place: 97, branch: 'vip numbers', run: seed }]
