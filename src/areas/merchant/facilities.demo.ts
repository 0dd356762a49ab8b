import { sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import { facilityIcon } from '#src/server/demo/pictures.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { facility } from './facility.table.ts'
import type { FacilityGroup, FacilityScope } from './facility.ts'

/** By group; after a sign: m of malls alone, b of both, all others of stores. */
const named: Readonly<Record<FacilityGroup, string>> = {
  parking: '停车场b 充电桩b 代客泊车b 自行车位m 洗车m',
  baby: '母婴室b 儿童椅 儿童乐园b 婴儿车租借m 亲子卫生间m',
  access: '无障碍通道b 无障碍车位m 轮椅租借m 盲文菜单 助听设备',
  pay: '刷卡 数字人民币 外币兑换m 会员积分b 分期付款',
  service: '免费Wi-Fib 包间 宠物友好b 可预订 免费充电b 寄存m 雨伞租借b 外送 打包 生日布置',
  other: '露台 吸烟室b 现场演出 投影设备 茶水间m 观景位',
}
const scopes: Readonly<Record<string, FacilityScope>> = { m: 'mall', b: 'both', '': 'store' }
/** Nobody has these yet, and two are not shown. */
const unused = ['盲文菜单', '助听设备', '茶水间']
const hidden = ['吸烟室', '外币兑换']

const seedFacilities = async (db: Db, now: number): Promise<void> => {
  const rows = Object.entries(named).flatMap(([group, names]) =>
    names.split(' ').map(word => {
      const [, name, sign] = /^(.*?)([mb]?)$/.exec(word)!
      return { name: name!, group: group as FacilityGroup, scope: scopes[sign!]! }
    }),
  )
  await insertRows(
    db,
    facility,
    rows.map(({ name, group, scope }, at) => ({
      id: at + 1,
      name,
      icon: facilityIcon(group),
      group,
      scope,
      sort: at,
      status: hidden.includes(name) ? ('off' as const) : ('on' as const),
      created_at: now - 400 * DAY,
      updated_at: now - 400 * DAY,
    })),
  )
  await afterIds(db)
  const used = sql`f.name not in ${unused}`
  await db.execute(
    sql`insert into store_facility (store_id, facility_id, created_at, updated_at) select s.id, f.id, ${now - 200 * DAY}, ${now - 200 * DAY} from store s, facility f where s.kind = 'offline' and s.status <> 'draft' and f.scope <> 'mall' and ${used} and (s.id * 7 + f.id * 13) % 11 < 3`,
  )
  await db.execute(
    sql`insert into mall_facility (mall_id, facility_id, created_at, updated_at) select m.id, f.id, ${now - 200 * DAY}, ${now - 200 * DAY} from mall m, facility f where m.status <> 'draft' and f.scope <> 'store' and ${used} and (m.id * 5 + f.id * 3) % 7 < 4`,
  )
}
export const demo: readonly DemoStep[] = [
  { place: 18, branch: 'facilities', run: (db, _, { now }) => seedFacilities(db, now) },
]
