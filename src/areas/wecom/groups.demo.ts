import { asc, eq, sql } from 'drizzle-orm'
import { DAY, dateOf, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { roomOf, ROOM_LOW } from './groups.ts'
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
/** Codes that lead into chats of one mall: the first has room, or turned to the next that has. */
const seedCodes = async (db: Db, chats: readonly Chat[], { now, people }: World) => {
  const malls = [...new Set(chats.flatMap(one => one.mall_id ?? []))].slice(0, 3)
  const sets = malls.map(mall => chats.filter(one => one.mall_id === mall).slice(0, 3))
  const ways = sets.map((own, at) => {
    const current = own.find(one => roomOf(one) > ROOM_LOW) ?? own[0]!
    const config_id = `demoJoinWay${at + 1}`
    return {
      id: at + 1,
      name: own[0]!.name,
      config_id,
      qr_url: `https://work.weixin.qq.com/gm/${config_id}`,
      state_key: `mallet-group-demo${at + 1}`,
      current_group_id: current.id,
      auto_create: at === 0,
      base_name: at === 0 ? own[0]!.name.slice(0, 20) : '',
      mall_id: own[0]!.mall_id,
      work: 'done' as const,
      next_at: now - 20 * DAY,
      asked_by: people[0]!.id,
      created_at: now - 20 * DAY,
    }
  })
  await insertRows(db, wecom_join_way, ways)
  await insertRows(
    db,
    wecom_join_group,
    sets.flatMap((own, at) =>
      own.map((chat, place) => ({ way_id: at + 1, group_id: chat.id, place })),
    ),
  )
  await insertRows(
    db,
    wecom_join_switch,
    ways.map(way => ({
      way_id: way.id,
      to_group_id: way.current_group_id,
      why: 'set' as const,
      at: now - 20 * DAY,
    })),
  )
  await insertRows(
    db,
    wecom_corp_object,
    ways.map((way, at) => ({
      kind: 'join_way' as const,
      key: way.config_id,
      body: {
        config_id: way.config_id,
        scene: 2,
        remark: way.name.slice(0, 30),
        auto_create_room: way.auto_create ? 1 : 0,
        chat_id_list: sets[at]!.map(chat => chat.chat_id),
        qr_code: way.qr_url,
        state: way.state_key,
      },
    })),
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
  const chats = await db
    .select()
    .from(wecom_group)
    .where(eq(wecom_group.status, 'normal'))
    .orderBy(asc(wecom_group.id))
  await seedCodes(db, chats, world)
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
