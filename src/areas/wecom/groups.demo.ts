import { asc, eq, sql } from 'drizzle-orm'
import { DAY, dateOf, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { roomOf, ROOM_LOW, type SwitchReason } from './groups.ts'
import { leadsTo } from './joinCodes.ts'
import { faultOfCode, keptWords } from './wecomFault.ts'
import { wecom_group } from './wecomGroup.table.ts'
import {
  wecom_join_group,
  wecom_join_switch,
  wecom_join_way,
  wecom_removal,
} from './wecomJoin.table.ts'
import { wecom_corp_object } from './wecomPort.table.ts'
import { wecom_send_part, wecom_send_result, wecom_send_task } from './wecomSend.table.ts'

type Chat = typeof wecom_group.$inferSelect
type Set = { chats: Chat[]; auto?: boolean; is?: 'paused' | 'archived' | 'refused' }
/** Chats side by side, so many in each code. */
const chunks = (chats: readonly Chat[], size: number): Chat[][] =>
  chats.length === 0 ? [] : [chats.slice(0, size), ...chunks(chats.slice(size), size)]
/**
 * Chats of each mall in codes: the full ones by themselves, and those of the first mall as WeCom made
 * them. One chat of each mall is left, for a code to come.
 */
const setsOf = (chats: readonly Chat[]): Set[] => {
  const malls = [...new Set(chats.flatMap(one => one.mall_id ?? []))]
  const all = malls.flatMap((mall, at): Set[] => {
    const own = chats.filter(one => one.mall_id === mall)
    const full = own.filter(one => roomOf(one) <= 0)
    const rest = own.filter(one => roomOf(one) > 0).slice(0, -1)
    const made = at === 0 ? rest.slice(0, 5) : []
    return [
      ...(made.length > 0 ? [{ chats: made, auto: true }] : []),
      ...chunks(rest.slice(made.length), 3).map(set => ({ chats: set })),
      ...full.slice(0, 1).map(one => ({ chats: [one] })),
    ]
  })
  const [first, second] = all
  const refused = all.findLast(one => one !== first && one.chats.length > 1)
  if (refused) refused.is = 'refused'
  return [
    ...all,
    ...(second ? [{ chats: second.chats.slice(0, 1), is: 'paused' as const }] : []),
    ...(first ? [{ chats: first.chats.slice(0, 2), is: 'archived' as const }] : []),
  ]
}
const BASE = '会员福利群'
/** Chats of the code that makes further ones are called as WeCom calls them: from 3 on. */
const nameRooms = async (db: Db, { chats }: Set): Promise<void> => {
  for (const [at, chat] of chats.entries()) {
    chat.name = `${BASE}${at + 3}`
    await db.update(wecom_group).set({ name: chat.name }).where(eq(wecom_group.id, chat.id))
    await db.execute(sql`
      update wecom_corp_object set body = jsonb_set(body, '{name}', to_jsonb(${chat.name}::text))
      where kind = 'group_chat' and key = ${chat.chat_id}`)
  }
}
const wayOf = ({ chats, auto = false, is }: Set, at: number, { now, people }: World) => {
  const [first] = chats
  const current = leadsTo(chats, { current: first!.id, room_low: ROOM_LOW })
  const config_id = `demoJoinWay${at + 1}`
  const stands = current || auto ? ('enabled' as const) : ('full' as const)
  return {
    id: at + 1,
    name: auto ? BASE : `${first!.name}入群码`.slice(0, 40),
    config_id,
    qr_url: `https://work.weixin.qq.com/gm/${config_id}`,
    state_key: `mallet-group-demo${at + 1}`,
    current_group_id: (current ?? first!).id,
    auto_create: auto,
    base_name: auto ? BASE : '',
    base_id: auto ? 3 + chats.length : 1,
    mall_id: first!.mall_id,
    status: is === 'paused' || is === 'archived' ? is : stands,
    reason: is === 'archived' ? '活动已结束' : '',
    work: is === 'refused' ? ('failed' as const) : ('done' as const),
    errcode: is === 'refused' ? 40_050 : 0,
    error: is === 'refused' ? keptWords(faultOfCode(40_050).text) : '',
    next_at: now - 20 * DAY,
    synced_at: now - 3 * HOUR,
    asked_by: people[0]!.id,
    created_at: now - 20 * DAY,
  }
}
/** How codes came to lead where they do: set first, then turned, by the clock or by hand. */
const turnsOf = (sets: readonly Set[], { now, people }: World) =>
  sets.flatMap((set, at) => {
    const way = wayOf(set, at, { now, people } as World)
    const [first] = set.chats
    const turns = [
      {
        way_id: way.id,
        from_group_id: null as number | null,
        to_group_id: first!.id,
        why: 'set' as SwitchReason,
        by_id: people[0]!.id as number | null,
        at: now - 20 * DAY,
      },
    ]
    const others = set.chats.filter(one => one.id !== way.current_group_id)
    const past = [...others, set.chats.find(one => one.id === way.current_group_id)!]
    for (const [n, chat] of past.entries()) {
      const last = turns.at(-1)!
      if (chat.id === last.to_group_id) continue
      const manual = n % 2 === 1
      turns.push({
        way_id: way.id,
        from_group_id: last.to_group_id,
        to_group_id: chat.id,
        why: manual ? 'manual' : 'full',
        by_id: manual ? people[1]!.id : null,
        at: now - (14 - n * 3) * DAY - at * HOUR,
      })
    }
    return turns
  })
/** Codes that lead into chats of one mall, in every state that one may be in. */
const seedCodes = async (db: Db, chats: readonly Chat[], world: World) => {
  const sets = setsOf(chats)
  const made = sets.find(set => set.auto)
  if (made) await nameRooms(db, made)
  const ways = sets.map((set, at) => wayOf(set, at, world))
  await insertRows(db, wecom_join_way, ways)
  await insertRows(
    db,
    wecom_join_group,
    sets.flatMap(({ chats: own, is }, at) =>
      own.map((chat, place) => ({
        way_id: at + 1,
        group_id: chat.id,
        place,
        is_held: is !== 'paused' && is !== 'archived',
      })),
    ),
  )
  await insertRows(db, wecom_join_switch, turnsOf(sets, world))
  await insertRows(
    db,
    wecom_corp_object,
    ways.flatMap((way, at) => {
      if (way.status === 'archived') return []
      return {
        kind: 'join_way' as const,
        key: way.config_id,
        body: {
          config_id: way.config_id,
          scene: 2,
          remark: way.name.slice(0, 30),
          auto_create_room: way.auto_create ? 1 : 0,
          ...(way.auto_create && { room_base_name: way.base_name, room_base_id: way.base_id }),
          chat_id_list: sets[at]!.chats.map(chat => chat.chat_id),
          qr_code: way.qr_url,
          state: way.state_key,
        },
      }
    }),
  )
}
/** Texts that owners confirmed, a few to each of some chats this month. */
const seedMasses = async (db: Db, chats: readonly Chat[], { now, people }: World) => {
  const sent = chats.slice(0, 6).flatMap((chat, at) =>
    Array.from({ length: 1 + (at % 3) }, (_, n) => ({
      chat,
      send_at: now - (n + 1) * DAY - HOUR,
    })),
  )
  await insertRows(
    db,
    wecom_send_task,
    sent.map(({ send_at }, at) => ({
      id: at + 1,
      target: 'group_chat' as const,
      content: at % 2 === 0 ? '周五会员日：全场餐饮满 100 减 20。' : '新店开业，群友到店送小食。',
      send_at,
      status: 'finished' as const,
      created_by: people[0]!.id,
      finished_at: send_at + HOUR,
      created_at: send_at,
    })),
  )
  await insertRows(
    db,
    wecom_send_part,
    sent.map(({ chat, send_at }, at) => ({
      task_id: at + 1,
      staff_id: chat.owner_id!,
      state: 'done' as const,
      msgid: `demoGroupMsg${at + 1}`,
      asked_at: send_at,
      next_at: send_at + HOUR,
      created_at: send_at,
    })),
  )
  await insertRows(
    db,
    wecom_send_result,
    sent.map(({ chat, send_at }, at) => ({
      task_id: at + 1,
      staff_id: chat.owner_id!,
      group_id: chat.id,
      status: 'sent' as const,
      month: dateOf(send_at).slice(0, 7),
      sent_at: send_at + 600,
    })),
  )
}
/** Owners were asked to remove some people: those who are out are done, the advertisers are not. */
const seedRemovals = async (db: Db, { now, people }: World) => {
  const { rows } = await db.execute<{
    group_id: number
    userid: string
    nickname: string
    owner_id: number
    left_at: string | null
  }>(sql`
    (select m.group_id, m.userid, m.nickname, g.owner_id, m.left_at from wecom_group_member m
      join wecom_group g on g.id = m.group_id and g.status = 'normal' and g.owner_id is not null
      where m.userid = 'wmAdvertiser1' order by m.group_id limit 2)
    union all
    (select m.group_id, m.userid, m.nickname, g.owner_id, m.left_at from wecom_group_member m
      join wecom_group g on g.id = m.group_id and g.status = 'normal' and g.owner_id is not null
      where m.quit_scene = 'kicked' and m.left_at is not null order by m.id limit 6)`)
  await insertRows(
    db,
    wecom_removal,
    rows.map(row => ({
      group_id: row.group_id,
      userid: row.userid,
      nickname: row.nickname,
      owner_id: row.owner_id,
      reason: '在群内发布其他商家广告',
      asked_by: people[0]!.id,
      asked_at: row.left_at === null ? now - 2 * DAY : Number(row.left_at) - 2 * HOUR,
    })),
  )
}
const seed = async (db: Db, _: unknown, world: World): Promise<void> => {
  const all = await db.select().from(wecom_group).orderBy(asc(wecom_group.id))
  const chats = all.filter(one => one.status === 'normal')
  await seedCodes(db, all, world)
  await seedMasses(db, chats, world)
  await seedRemovals(db, world)
  await db.execute(sql`
    update wecom_group set notice_draft = '本周六会员日，群友到店出示群截图享双倍积分。',
      notice_draft_at = ${world.now - DAY} where id in (select id from wecom_group
        where status = 'normal' order by id limit 2)`)
}

/** After the chats, whose codes, texts and removals these are. */
export const demo: readonly DemoStep[] = [
  { place: 153, branch: 'wecomGroups', title: '企微社群 / WeCom groups', run: seed },
]
