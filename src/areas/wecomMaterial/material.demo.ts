import { sql } from 'drizzle-orm'
import { faultOfCode, keptWords } from '#src/areas/wecom/wecomFault.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { demoFilms, demoGuides } from '#src/server/demo/attached.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { facilityIcon } from '#src/server/demo/pictures.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { wecom_material, wecom_material_content } from './material.table.ts'
import { mediaFileOf, type MaterialBody, type MaterialState } from './material.ts'
import { wecom_media } from './media.table.ts'

const categories = ['迎新', '活动', '会员权益', '停车', '亲子', '节日'] as const
const icons = ['parking', 'baby', 'access', 'pay', 'service', 'other'] as const
const subjects = [
  '到店礼',
  '周末市集',
  '积分兑换',
  '停车优惠',
  '亲子手作',
  '会员日',
  '新品速递',
  '美食地图',
  '生日礼遇',
  '换季清单',
  '夜市指南',
  '书店沙龙',
  '影院排片',
  '健身体验',
  '宠物友好',
] as const
type Made = { title: string; body: MaterialBody }
const kinds: readonly ((subject: string, at: number) => Made)[] = [
  subject => ({
    title: `${subject}话术`,
    body: {
      kind: 'text',
      text: `{客户昵称}您好，我是{员工姓名}。${subject}正在进行，到店出示会员码即可参加，有问题随时找我。`,
    },
  }),
  (subject, at) => ({
    title: `${subject}海报`,
    body: { kind: 'image', key: facilityIcon(icons[at % icons.length]!) },
  }),
  (subject, at) => ({
    title: `${subject}链接`,
    body: {
      kind: 'link',
      title: `${subject}，点开查看`,
      desc: '活动时间、地点与参与方式',
      url: `https://m.mallet.example/topic/${at + 1}`,
    },
  }),
  (subject, at) => ({
    title: `${subject}小程序`,
    body: {
      kind: 'miniprogram',
      title: subject,
      appid: 'wx0123456789abcdef',
      page: `pages/topic/index?id=${at + 1}`,
      key: facilityIcon(icons[(at + 2) % icons.length]!),
    },
  }),
  (subject, at) => ({
    title: `${subject}短片`,
    body: { kind: 'video', key: demoFilms[at % demoFilms.length]! },
  }),
  (subject, at) => ({
    title: `${subject}手册`,
    body: { kind: 'file', key: demoGuides[at % demoGuides.length]! },
  }),
]
const EACH = subjects.length
/** Links were edited so many days ago. */
const EDITED_DAYS = 12
const stateOf = (at: number): MaterialState => {
  if (at % 13 === 12) return 'draft'
  return at % 11 === 10 ? 'disabled' : 'enabled'
}
const endOf = (at: number, now: number): number | null => {
  if (at % 29 === 20) return now - 2 * DAY
  return at % 17 === 5 ? now + 20 * DAY : null
}
/** Links that say something else since some days. */
const EDITED: readonly number[] = [3, 9]
const seedMaterials = async (db: Db, { now, people }: World) => {
  const rows = Array.from({ length: kinds.length * EACH }, (_, at) => {
    const nth = Math.floor(at / kinds.length)
    const made = kinds[at % kinds.length]!(subjects[nth]!, nth)
    const status = stateOf(at)
    return {
      id: at + 1,
      ...made,
      kind: made.body.kind,
      category: categories[nth % categories.length]!,
      file_key: mediaFileOf(made)?.key ?? null,
      // Two that welcomes leave out, and some that end soon.
      valid_to_at: endOf(at, now),
      owner_id: people[at % Math.min(3, people.length)]!.id,
      status,
      content_n: EDITED.includes(at + 1) ? 2 : 1,
      off_reason: status === 'disabled' ? '活动已结束' : '',
      created_at: now - (100 - at) * DAY,
      updated_at: now - (1 + (at % 40)) * DAY,
    }
  })
  await insertRows(db, wecom_material, rows)
  await insertRows(
    db,
    wecom_material_content,
    rows.flatMap(({ id, title, body, created_at, owner_id, content_n }) =>
      Array.from({ length: content_n }, (_, at) => ({
        material_id: id,
        n: at + 1,
        title: at + 1 === content_n ? title : `${title}（首发）`,
        body,
        created_at: at === 0 ? created_at : now - EDITED_DAYS * DAY,
        created_by: owner_id,
      })),
    ),
  )
}
/** How WeCom has the files: most until tomorrow, five no more, and two it did not take. */
const seedMedia = async (db: Db, { now }: World) => {
  const icon = (of: (typeof icons)[number]) => ({
    kind: 'image' as const,
    file_key: facilityIcon(of),
  })
  const film = (at: number) => ({ kind: 'video' as const, file_key: demoFilms[at]! })
  const guide = (at: number) => ({ kind: 'file' as const, file_key: demoGuides[at]! })
  const expired = [icon('baby'), icon('other'), film(0), film(1), guide(0)]
  const valid = [icon('parking'), icon('service'), icon('access'), icon('pay'), guide(1)]
  const failed = [
    { ...film(2), errcode: 40006, error: keptWords(faultOfCode(40006).text) },
    { ...guide(2), errcode: 45009, error: keptWords(faultOfCode(45009).text) },
  ]
  const fine = { errcode: 0, error: '' }
  await insertRows(db, wecom_media, [
    ...expired.map((of, at) => ({
      ...of,
      ...fine,
      media_id: `demo-media-old-${at}`,
      expire_at: now - (at + 1) * DAY,
      tried_at: now - (at + 4) * DAY,
    })),
    ...valid.map((of, at) => ({
      ...of,
      ...fine,
      media_id: `demo-media-${at}`,
      expire_at: now + DAY + at * HOUR,
      tried_at: now - 2 * DAY + at * HOUR,
    })),
    ...failed.map(of => ({ ...of, media_id: null, expire_at: null, tried_at: now - 2 * HOUR })),
  ])
}
/** Messages of the demo that carry materials; the last of them is left out, as it is past its end. */
const CARRIED: readonly (readonly [welcome_id: number, material_id: number])[] = [
  [1, 9],
  [4, 3],
  [10, 2],
  [6, 21],
]
const carry = async (db: Db) => {
  for (const [welcome_id, material_id] of CARRIED) {
    const piece = sql`${JSON.stringify([{ kind: 'material', id: material_id }])}::jsonb`
    await db.execute(sql`
      update wecom_welcome set attachments = attachments || ${piece} where id = ${welcome_id}`)
    await db.execute(sql`
      update wecom_welcome_content set attachments = attachments || ${piece}
      where welcome_id = ${welcome_id}`)
  }
  await db.execute(sql`
    update wecom_group_welcome set attachment = '{"kind":"material","id":15}'
    where id = 5 and attachment is null`)
}
/** What went with the welcomes of the demo, and which of its links were opened. */
const seedSends = async (db: Db, { now }: World) => {
  const drawn = (salt: string) =>
    sql`('x' || substr(md5(s.id || ${salt}), 1, 4))::bit(16)::int % 100`
  for (const [welcome_id, material_id] of CARRIED.slice(0, 3))
    await db.execute(sql`
      insert into wecom_material_send (material_id, content_n, holder, holder_id, send_id, place,
        external_userid, token, url, sent_at, clicks, first_click_at, last_click_at)
      select m.id, case when m.content_n = 2 and s.happened_at >= ${now - EDITED_DAYS * DAY}
          then 2 else 1 end, 'welcome', s.welcome_id, s.id, 0, s.external_userid,
        case when m.kind = 'link' then substr(md5('demo-link' || s.id), 1, 22) end,
        m.body ->> 'url', s.happened_at + 2,
        case when o.opened then 1 + s.id % 3 else 0 end,
        case when o.opened then least(${now}, s.happened_at + 60 + s.id % 7200) end,
        case when o.opened then least(${now}, s.happened_at + 60 + s.id % 7200 + s.id % 3 * 600) end
      from wecom_welcome_send s join wecom_material m on m.id = ${material_id}
        cross join lateral (select m.kind = 'link' and ${drawn('open')} < 32 opened) o
      where s.welcome_id = ${welcome_id} and s.outcome = 'sent'`)
}
/** After the welcomes that carry them, and what was sent of these. */
export const demo: readonly DemoStep[] = [
  {
    place: 160,
    branch: 'wecom materials',
    run: async (db, _, world) => {
      await seedMaterials(db, world)
      await seedMedia(db, world)
      await carry(db)
      await seedSends(db, world)
    },
  },
]
