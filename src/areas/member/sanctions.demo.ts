import { sql } from 'drizzle-orm'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { CLOSING_DAYS } from './member.ts'

const columns = sql`user_sanction (member_id, city_id, kind, scope, reason, start_at, end_at, by_id, status, lifted_by, lift_reason, ended_at, created_at, updated_at)`
/**
 * Sanctions of accounts: those that are banned and muted now, some watched or without payouts, and
 * older ones that are over or were lifted. Closings of the accounts that are closing.
 */
const sanctionMembers = async (db: Db, world: World): Promise<void> => {
  const [now, day, hour] = [world.now, DAY, HOUR].map(n => sql.raw(String(n)))
  await db.execute(
    sql`update member set account_state = 'muted' where account_state = 'normal' and not benefits_frozen
      and id % 300 = 149`,
  )
  const active = (kind: string, of: ReturnType<typeof sql>, end: ReturnType<typeof sql>) => sql`
    insert into ${columns} select m.id, m.city_id, ${kind}, ${kind === 'ban' ? sql`'["login","post"]'::jsonb` : sql`'[]'::jsonb`},
      (array['多次发布广告内容', '辱骂他人，已警告', '疑似多账号套取优惠', '冒用他人照片'])[1 + m.id % 4],
      ${now} - (1 + m.id % 20) * ${day}, ${end}, 3 + m.id % 4, 'active', null, '', null,
        ${now} - (1 + m.id % 20) * ${day}, ${now} - ${hour} from member m where ${of}`
  await db.execute(
    active(
      'ban',
      sql`m.account_state = 'banned'`,
      sql`case when m.id % 7 = 0 then null else ${now} + (2 + m.id % 60) * ${day} end`,
    ),
  )
  await db.execute(
    active('mute', sql`m.account_state = 'muted'`, sql`${now} + (1 + m.id % 6) * ${day}`),
  )
  await db.execute(
    active('watch', sql`m.account_state = 'normal' and m.id % 450 = 65`, sql`null::bigint`),
  )
  // What is over lies behind: its time ended, or somebody lifted it.
  await db.execute(sql`
    insert into ${columns} select m.id, m.city_id, 'mute', '[]'::jsonb, '评论区刷屏', ${now} - 60 * ${day},
      ${now} - 53 * ${day}, 4,
      case when m.id % 4 = 1 then 'lifted' else 'expired' end, case when m.id % 4 = 1 then 5 end, case when m.id % 4 = 1 then '申诉成立，内容已恢复' else '' end,
      ${now} - (case when m.id % 4 = 1 then 58 else 53 end) * ${day}, ${now} - 60 * ${day}, ${now} - 53 * ${day}
    from member m where m.account_state in ('normal', 'banned') and m.id % 61 = 12`)
  await db.execute(sql`
    insert into member_closing (member_id, city_id, asked_at, due_at, by_id, reason, created_at, updated_at)
    select m.id, m.city_id, at, at + ${CLOSING_DAYS * DAY}, 4, '会员来电申请注销，已核验身份', at, at
    from (select m.*, ${now} - (1 + m.id % 12) * ${day} as at from member m where m.account_state = 'canceling') m`)
}

/** After the members' own step. */
export const demo: readonly DemoStep[] = [
  { place: 151, branch: 'sanctions', run: (db, _random, world) => sanctionMembers(db, world) },
]
