import { sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { countBought } from './bought.server.ts'
import { member_adjust, member_tag } from './care.table.ts'

/**
 * What is kept beside members: who they are, who brought them, what they bought and when they came
 * last. From the rows' own numbers, so that no other demo data changes with it.
 */
const dressMembers = async (db: Db, now: number): Promise<void> => {
  await countBought(db)
  await db.execute(sql`
    update member m set gender = (array['female', 'male', 'female', 'unknown'])[1 + m.id % 4],
      birthday = case when m.id % 3 = 0 then null else to_char(date '1968-01-01' + (m.id * 7919) % 14600, 'YYYY-MM-DD') end,
      register_source = (array['mini_program', 'mini_program', 'mini_program', 'app', 'h5', 'mini_program', 'wecom', 'mini_program', 'app', 'import'])[1 + (m.id / 3) % 10],
      inviter_id = case when m.id > 40 and m.id % 6 = 1 then 1 + (m.id * 31) % (m.id / 2) end,
      unionid = case when m.id % 10 < 7 then 'oUnion' || upper(substr(md5('u' || m.id), 1, 20)) end,
      last_visit_at = case when m.account_state = 'canceled' then null
        when m.id % 23 = 0 then m.register_at + ${HOUR}
        else greatest(m.register_at, m.last_order_at, ${now} - (m.id * 104729::bigint) % ${45 * DAY}) end,
      benefits_frozen = m.id % 100 = 57 and m.account_state = 'normal',
      benefits_reason = case when m.id % 100 = 57 and m.account_state = 'normal' then '多账号重复领取新客券，核实中' else '' end,
      account_state = case when m.id % 400 = 77 then 'canceling' else m.account_state end`)
  // Two accounts of one person: the younger one had nothing, and went into the older one.
  await db.execute(sql`
    insert into member (uid, nickname, phone, city_id, register_at, register_source, account_state,
      merged_into, created_at)
    select 'U9' || lpad(m.id::text, 7, '0'), m.nickname, m.phone, m.city_id,
      least(m.register_at + ${40 * DAY}, ${now - DAY}), 'h5', 'merged', m.id, m.created_at
    from member m where m.id % 600 = 135 and m.account_state = 'normal' order by m.id limit 10`)
}

const tagNames = [
  '高价值',
  '亲子家庭',
  '价格敏感',
  '夜宵党',
  '投诉待回访',
  '新店尝鲜',
  '团长意向',
  '沉睡召回',
]
/** Tags, about two to every third member. */
const tagMembers = async (db: Db, now: number): Promise<void> => {
  await insertRows(
    db,
    member_tag,
    tagNames.map((name, at) => ({ id: at + 1, name, created_at: now - (90 - at) * DAY })),
  )
  await db.execute(sql`
    insert into member_tag_of (member_id, tag_id, by_id, at)
    select m.id, g.id, 3, ${now} - ((m.id * 7919::bigint + g.id) % ${80 * DAY}) from member m
      join member_tag g on (m.id + g.id * 5) % 12 = 0
    where m.account_state in ('normal', 'muted', 'banned')`)
}
/** Adjustments of more than one person may make alone: some wait, one was turned down. */
const askAdjusts = async (db: Db, { now, scale, people }: World): Promise<void> => {
  const members = (
    await db.execute<{ id: number; city_id: number }>(
      sql`select id, city_id from member where account_state = 'normal' and not benefits_frozen
        and id % 7 = 3 order by id limit ${sized(7, scale, 3)}`,
    )
  ).rows
  await insertRows(
    db,
    member_adjust,
    members.map(({ id, city_id }, n) => {
      const over = n === members.length - 1
      return {
        member_id: id,
        city_id,
        kind: n % 3 === 2 ? ('growth' as const) : ('points' as const),
        delta: n % 3 === 2 ? 12_000 : 15_000 + n * 1000,
        reason:
          n % 2 === 0 ? '会员日活动漏发积分，按活动规则补发' : '订单异常补偿，已与会员协商一致',
        maker_id: people[n % 2 === 0 ? 2 : 5]!.id,
        state: over ? ('rejected' as const) : ('pending' as const),
        checker_id: over ? people[0]!.id : null,
        decided_at: over ? now - HOUR : null,
        reject_reason: over ? '请附活动规则截图' : '',
        created_at: now - (n + 2) * HOUR,
      }
    }),
  )
}

/** After the orders, and what pays and refunds them. */
export const demo: readonly DemoStep[] = [
  {
    place: 150,
    branch: 'members',
    run: async (db, _random, world) => {
      await dressMembers(db, world.now)
      await tagMembers(db, world.now)
      await askAdjusts(db, world)
    },
  },
]
