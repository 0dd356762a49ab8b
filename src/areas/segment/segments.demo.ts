import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { countPiece } from './counting.server.ts'
import { refKeysOf } from './refs.server.ts'
import type { Rule, RuleNode } from './rule.ts'
import { segment, segment_person, segment_use } from './segment.table.ts'

type Part = Omit<RuleNode, 'key' | 'parent' | 'not'> & { not?: boolean; in?: number }
/** Nodes by their order; `in` is the number of the group that one stands in. */
const ruleOf = (joins: Rule['joins'], ...parts: Part[]): Rule => ({
  joins,
  nodes: parts.map(({ in: parent = null, not = false, ...of }, at) => ({
    key: at + 1,
    parent,
    not,
    ...of,
  })),
})
type Ids = { tags: number[]; gone: number[]; malls: number[]; chats: number[]; coupons: number[] }
type Made = { name: string; rule: Rule; without?: number[] }
/** Audiences of what members bought, and how lately. */
const byDeeds = ({ tags, malls, chats }: Ids): Made[] => [
  {
    name: '高等级会员',
    rule: ruleOf('all', { is: 'level', op: 'any', picks: ['3', '4', '5'] }),
  },
  {
    name: '沉睡 30 天可召回',
    rule: ruleOf(
      'all',
      { is: 'last_order', op: 'before', days: 30 },
      { is: 'last_visit', op: 'within', days: 30 },
    ),
  },
  {
    name: '亲子家庭',
    rule: ruleOf(
      'any',
      { is: 'member_tag', op: 'any', ids: [2] },
      { is: 'wecom_tag', op: 'any', ids: tags.slice(0, 2) },
    ),
  },
  {
    name: '近 90 天多次下单',
    rule: ruleOf('all', { is: 'orders', op: 'between', days: 90, from: 3 }),
  },
  {
    name: '高客单',
    rule: ruleOf('all', { is: 'spent', op: 'between', days: 180, from: 100_000 }),
  },
  {
    name: '企微好友未下单',
    rule: ruleOf(
      'all',
      { is: 'friend', op: 'any', picks: ['friend'] },
      { is: 'order_count', op: 'between', to: 0 },
    ),
  },
  {
    name: '到店常客',
    rule: ruleOf(
      'all',
      { is: 'last_use', op: 'within', days: 60 },
      { is: 'any', not: false },
      { is: 'orders', op: 'between', days: 120, from: 2, malls: malls.slice(0, 3), in: 2 },
      { is: 'chat', op: 'any', ids: chats.slice(0, 5), in: 2 },
    ),
  },
]
/** Audiences of who members are, and those that name others, which come after them. */
const byNature = (): Made[] => [
  {
    name: '会员即将到期',
    rule: ruleOf('all', { is: 'vip', op: 'any', picks: ['soon'] }),
  },
  {
    name: '本季生日女会员',
    rule: ruleOf(
      'all',
      { is: 'gender', op: 'any', picks: ['female'] },
      { is: 'birth_month', op: 'any', picks: ['10', '11', '12'] },
    ),
  },
  {
    name: '新注册未首单',
    rule: ruleOf(
      'all',
      { is: 'registered', op: 'within', days: 60 },
      { is: 'last_order', op: 'never' },
    ),
  },
  {
    name: '百岁以上',
    rule: ruleOf('all', { is: 'age', op: 'between', from: 100 }),
  },
  {
    name: '高等级且多次下单',
    rule: ruleOf('all', { is: 'segment', op: 'all', ids: [1, 4] }),
  },
  {
    name: '多次下单但非高等级',
    rule: ruleOf('all', { is: 'segment', op: 'any', ids: [4] }),
    without: [1],
  },
]
const idsOf = async (db: Db): Promise<Ids> => {
  const ids = async (from: string) =>
    (
      await db.execute<{ id: number }>(sql.raw(`select id from ${from} order by id limit 8`))
    ).rows.map(row => row.id)
  return {
    tags: await ids("wecom_tag where status = 'active'"),
    gone: await ids("wecom_tag where status = 'invalid'"),
    malls: await ids("mall where status = 'online'"),
    chats: await ids("wecom_group where status = 'normal'"),
    coupons: await ids('coupon'),
  }
}
/** Lists out of files: guests of an evening, and colleagues who get no offers. */
const fixedLists = async (db: Db, { now }: World, from: number) => {
  const lists = [
    { id: from, name: '周年庆邀约名单', every: 37, rest: 5 },
    { id: from + 1, name: '内部员工', every: 211, rest: 9 },
  ]
  await insertRows(
    db,
    segment,
    lists.map(({ id, name }) => ({
      id,
      name,
      kind: 'static' as const,
      status: 'ready' as const,
      gen: 1,
      owner_id: 3,
      refreshed_at: now - 9 * DAY,
      created_at: now - 9 * DAY,
    })),
  )
  for (const { id, every, rest } of lists)
    await db.execute(sql`
      insert into ${segment_person} (segment_id, gen, member_id)
      select ${id}, 1, m.id from member m
      where m.id % ${every} = ${rest} and m.account_state = 'normal'`)
  await db.execute(sql`update ${segment} s set customer_count =
    (select count(*) from ${segment_person} p where p.segment_id = s.id) where s.id >= ${from}`)
}
const seedSegments = async (db: Db, world: World): Promise<void> => {
  const { now, people } = world
  const ids = await idsOf(db)
  const made = [...byDeeds(ids), ...byNature()]
  const row = ({ name, rule, without = [] }: Made, at: number) => ({
    id: at + 1,
    name,
    kind: 'rule' as const,
    rule,
    exclude_ids: without,
    refs: refKeysOf(rule, without),
    owner_id: people[at % 3]!.id,
    created_at: now - (60 - at) * DAY,
  })
  await insertRows(
    db,
    segment,
    made.map((of, at) => ({
      ...row(of, at),
      status: 'computing' as const,
      counted_to: 0,
    })),
  )
  for (let more = true; more;) more = await countPiece(db, now - 5 * HOUR)
  // Each was counted the night before too, with some people more or fewer.
  await db.execute(sql`
    update ${segment} set prev_count = greatest(0, customer_count - (id * 7 % 11) + 4)
    where id % 4 > 0`)
  const stale = ids.gone.slice(0, 2).map((id, at): Made => ({
    name: at === 0 ? '团购达人（旧标签）' : '夏季活动参与者',
    rule: ruleOf('all', { is: 'wecom_tag', op: 'any', ids: [id] }),
  }))
  await insertRows(
    db,
    segment,
    stale.map((of, at) => ({
      ...row(of, made.length + at),
      status: 'stale' as const,
      refreshed_at: now - 12 * DAY,
    })),
  )
  const next = made.length + stale.length + 1
  await fixedLists(db, world, next)
  await insertRows(db, segment, [
    {
      ...row(made[0]!, next + 1),
      name: '去年双十一下单',
      status: 'archived' as const,
      archive_reason: '活动已结束',
      refs: [],
    },
  ])
  const [coupon_id] = ids.coupons
  if (coupon_id !== undefined)
    await insertRows(
      db,
      segment_use,
      [2, 9].map(segment_id => ({
        segment_id,
        gen: 1,
        kind: 'coupon' as const,
        people_n: 40,
        begun_n: 40,
        coupon_id,
        by_id: people[0]!.id,
        note: '召回活动发券',
        created_at: now - 3 * DAY,
      })),
    )
}
export const demo: readonly DemoStep[] = [
  {
    place: 157,
    branch: 'segments',
    title: '客户分群 / segments',
    run: (db, _, world) => seedSegments(db, world),
  },
]
