import { eq, sql } from 'drizzle-orm'
import { members } from '#src/areas/member/members.server.ts'
import { mergeHeld } from '#src/areas/member/merging.server.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { everything } from '#src/server/call/scope.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { customer_dup } from './dedup.table.ts'
import { scanDups } from './scanning.server.ts'

/** Second accounts of members who registered once more: some by their WeChat, more by their phone. */
const seedTwins = async (db: Db, { now, scale }: World): Promise<void> => {
  const twin = async (by: 'unionid' | 'phone', n: number, rest: number) =>
    db.execute(sql`
      insert into member (uid, nickname, phone, gender, birthday, city_id, register_at,
        register_source, unionid, last_visit_at, created_at)
      select 'U8' || lpad((m.id * 10 + ${rest})::text, 7, '0'),
        case when m.id % 3 = 0 then '微信用户' else m.nickname end,
        ${by === 'phone' ? sql`m.phone` : sql`'177' || lpad((m.id * 7919 % 100000000)::text, 8, '0')`},
        case when m.id % 4 = 0 then 'unknown' else m.gender end,
        case when m.id % 5 = 0 then m.birthday end, m.city_id,
        least(m.register_at + ${60 * DAY}, ${now - 2 * DAY}), 'h5',
        ${by === 'unionid' ? sql`m.unionid` : sql`null`}, ${now - 3 * HOUR}, ${now - 2 * DAY}
      from member m where m.account_state in ('normal', 'muted') and m.vip_end_at is null
        and (m.unionid is not null) = ${by === 'unionid'} and m.id % 40 = ${rest}
        and not exists (select 1 from member o where o.id <> m.id and o.phone = m.phone)
      order by m.id limit ${sized(n, scale, 3)}`)
  await twin('unionid', 15, 1)
  await twin('phone', 25, 9)
}
/** What was decided before: by whoever added first, as no duplicates, and one merge of a week. */
const decide = async (db: Db, { now }: World): Promise<void> => {
  await db.execute(sql`
    update customer_dup d set status = 'resolved', outcome = 'primary', seen = d.evidence,
      primary_follow_id = d.follow_ids[1], decided_by = 4, decided_at = ${now} - (1 + d.id % 20) * ${DAY}
    where d.kind = 'multi_follow' and d.id % 5 in (1, 3)`)
  await db.execute(sql`
    update customer_dup d set status = 'ignored', seen = d.evidence, decided_by = 4,
      decided_at = ${now} - (1 + d.id % 9) * ${DAY}, reason = '家人共用手机号，已电话核实'
    where d.id in (select o.id from (select id, row_number() over (order by id desc) n
      from customer_dup where kind = 'same_phone') o where o.n % 4 = 1)`)
}
/** The first pairs of a kind that wait, to be merged or asked for. */
const pairsOf = async (db: Db, kind: 'same_unionid' | 'same_phone', most: number) =>
  db
    .select()
    .from(customer_dup)
    .where(
      sql`${customer_dup.kind} = ${kind} and ${customer_dup.status} = 'pending'
        and cardinality(${customer_dup.member_ids}) = 2`,
    )
    .orderBy(customer_dup.id)
    .limit(most)
/** Merges a pair as of yesterday, which can be undone, and has another wait for a second person. */
const merge = async (db: Db, { now, people }: World): Promise<void> => {
  const [merged, asked] = await pairsOf(db, 'same_unionid', 2)
  const by = people[3]!
  if (merged) {
    const [keep_id, drop_id] = merged.member_ids as [number, number]
    const context = {
      tx: db,
      now: now - DAY,
      staff: { id: by.id, scope: everything, lang: 'zh' },
      log: () => {},
    } as unknown as WriteContext
    const [was, target] = [
      await members.lock(context, drop_id),
      await members.lock(context, keep_id),
    ]
    const { merge_id } = await mergeHeld(context, { was, target }, '同一微信重复注册')
    await db
      .update(customer_dup)
      .set({
        status: 'resolved',
        outcome: 'merged',
        member_ids: [keep_id],
        keep_id,
        drop_ids: [drop_id],
        merge_ids: [merge_id],
        merged_at: now - DAY,
        decided_by: by.id,
        decided_at: now - DAY,
        seen: merged.evidence,
        reason: '同一微信重复注册',
      })
      .where(eq(customer_dup.id, merged.id))
  }
  if (asked)
    await db
      .update(customer_dup)
      .set({
        status: 'second',
        asked_by: by.id,
        keep_id: asked.member_ids[0]!,
        drop_ids: asked.member_ids.slice(1),
        reason: '会员来电要求合并两个账号，已核验身份',
      })
      .where(eq(customer_dup.id, asked.id))
}

/** After members, contacts and their relations. */
export const demo: readonly DemoStep[] = [
  {
    place: 159,
    branch: 'duplicates',
    run: async (db, _random, world) => {
      await seedTwins(db, world)
      await scanDups(db, world.now)
      await decide(db, world)
      await merge(db, world)
    },
  },
]
