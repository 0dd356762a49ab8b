import { sql } from 'drizzle-orm'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { facilityIcon } from '#src/server/demo/pictures.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import type { WelcomeAttachment } from './attachment.ts'
import {
  wecom_group_welcome,
  wecom_group_welcome_chat,
  wecom_group_welcome_notice,
} from './groupWelcome.table.ts'
import { wecomText } from './groupWelcome.ts'

type Written = { name: string; text: string; attachment?: WelcomeAttachment; notify?: boolean }
const link = (title: string, path: string): WelcomeAttachment => ({
  kind: 'link',
  title,
  desc: '点开查看活动与停车优惠',
  url: `https://m.mallet.example/${path}`,
})
const house: readonly Written[] = [
  { name: '群规与福利', text: '欢迎{客户昵称}入群！群内每周三发放会员专享券，请勿发布广告。' },
  {
    name: '新客入群礼',
    text: '{客户昵称}您好，首次入群可到服务台领取停车券一张。',
    attachment: link('领取说明', 'parking'),
    notify: true,
  },
  {
    name: '会员日预告',
    text: '每月 18 日会员日，全场积分翻倍。',
    attachment: { kind: 'image', key: facilityIcon('service') },
  },
  {
    name: '会员中心',
    text: '点开小程序查看积分与礼券。',
    attachment: {
      kind: 'miniprogram',
      title: '会员中心',
      appid: 'wx0123456789abcdef',
      page: 'pages/member/index',
      key: facilityIcon('service'),
    },
  },
  { name: '节日问候', text: '欢迎加入，祝您节日愉快！' },
]
const local: readonly Written[] = [
  { name: '商场会员群欢迎', text: '{客户昵称}，欢迎加入会员群，营业时间 10:00–22:00。' },
  { name: '亲子群欢迎', text: '欢迎加入亲子群，周末活动报名请看群公告。', notify: true },
  {
    name: '美食群欢迎',
    text: '欢迎加入美食群，今日满减见下方链接。',
    attachment: link('今日美食', 'food'),
  },
]
const MALLS = 3
type Chat = { id: number; mall_id: number | null; owner_id: number; active: boolean }
const seed = async (db: Db, { now, people }: World) => {
  const { rows: chats } = await db.execute<Chat>(sql`
    select g.id, g.mall_id, g.owner_id, s.status = 'active' active
    from wecom_group g join wecom_staff s on s.id = g.owner_id
    where g.status <> 'dismissed' order by g.id`)
  const malls = [...new Set(chats.flatMap(chat => chat.mall_id ?? []))].slice(0, MALLS)
  const all = [
    ...house.map(of => ({ ...of, mall_id: null as number | null })),
    ...malls.flatMap(mall_id => local.map(of => ({ ...of, mall_id }))),
  ]
  const refused = all.length - 1
  const rows = all.map(({ attachment = null, notify = false, ...of }, at) => ({
    ...of,
    attachment,
    notify,
    id: at + 1,
    template_id: at === refused ? null : `msgDemoTemplate${at + 1}`,
    told_n: at === refused ? 0 : 1,
    work: at === refused ? ('failed' as const) : ('done' as const),
    errcode: at === refused ? 41065 : 0,
    next_at: now - DAY,
    notified_at: at === 1 ? now - HOUR / 2 : null,
    edited_at: now - (at + 2) * DAY,
    edited_by: people[at % 2]!.id,
    created_at: now - (40 - at) * DAY,
  }))
  await insertRows(db, wecom_group_welcome, rows)
  await insertRows(
    db,
    wecom_corp_object,
    rows.flatMap(({ template_id, text }) =>
      template_id === null
        ? []
        : [
            {
              kind: 'group_template' as const,
              key: template_id,
              body: { template_id, text: { content: wecomText(text) } },
            },
          ],
    ),
  )
  // Every third chat has none yet, and one whose owner has left keeps what it had.
  const applied = chats.flatMap((chat, at) => {
    if (at % 3 === 2) return []
    const own = rows.filter(row => row.mall_id === chat.mall_id && row.work === 'done')
    const pool = own.length > 0 ? own : rows.slice(0, 2)
    const welcome_id = pool[at % pool.length]!.id
    return [{ group_id: chat.id, welcome_id, applied_at: now - (10 + (at % 9)) * DAY }]
  })
  await insertRows(db, wecom_group_welcome_chat, applied)
  const owners = chats.filter(chat => chat.active).slice(0, 2)
  await insertRows(
    db,
    wecom_group_welcome_notice,
    owners.map(({ owner_id }, at) => ({
      welcome_id: 2,
      staff_id: owner_id,
      chats: ['会员福利群'],
      asked_at: now - HOUR / 2,
      taken_at: now - HOUR / 2 + 2,
      state: at === 0 ? ('sent' as const) : ('failed' as const),
      errcode: at === 0 ? 0 : 81013,
    })),
  )
}
/** After chats and their owners. */
export const demo: readonly DemoStep[] = [
  { place: 159, branch: 'group welcomes', run: (db, _, world) => seed(db, world) },
]
