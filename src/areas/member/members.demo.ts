import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { countBought } from './bought.server.ts'

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
    insert into member (uid, nickname, phone, city_id, register_at, register_source, account_state, merged_into, created_at)
    select 'U9' || lpad(m.id::text, 7, '0'), m.nickname, m.phone, m.city_id, least(m.register_at + ${40 * DAY}, ${now - DAY}), 'h5', 'merged', m.id, m.created_at
    from member m where m.id % 600 = 135 and m.account_state = 'normal' order by m.id limit 10`)
}

/** After the orders, and what pays and refunds them. */
export const demo: readonly DemoStep[] = [
  {
    place: 150,
    branch: 'members',
    run: (db, _random, { now }) => dressMembers(db, now),
  },
]
