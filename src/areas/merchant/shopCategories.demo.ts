import { eq, isNull, max, sql } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { shop_category } from './merchant.table.ts'

/** Branches without stores yet: root, what stands below it, and below that. */
const branches = `美食：小吃快餐（米粉面馆、炸鸡汉堡、饺子馄饨、麻辣烫）、西餐（牛排、披萨、意面、轻食沙拉）、自助餐（海鲜自助、烤肉自助、素食自助）、烧烤（烤串、铁板烧、烤羊腿）、川湘菜（水煮鱼、剁椒菜、干锅）、粤菜（早茶、烧腊、煲仔饭）、东南亚菜（泰国菜、越南菜、新马菜）
丽人：美容养生（面部护理、身体护理、脱毛）、纹绣（眉部、唇部）、彩妆造型（新娘妆、日常妆）、瘦身纤体（减脂、塑形）
休闲娱乐：影音（私人影院、唱歌）、桌游棋牌（桌游馆、棋牌室、麻将馆）、电玩网咖（电玩城、网咖、VR 体验）、手工体验（陶艺、烘焙、银饰）、温泉洗浴（温泉、汗蒸、洗浴）
亲子：儿童摄影（孕妇照、满月照、全家福）、早教托育（早教、托育）、儿童才艺（绘画、乐器、舞蹈）、母婴护理（月子中心、产后修复）
运动健身：游泳（游泳馆、水上乐园）、球类（羽毛球、乒乓球、篮球、网球）、武术搏击（跆拳道、拳击、散打）、户外（攀岩、滑雪、骑马）
生活服务：家政（保洁、月嫂、搬家）、维修（家电维修、手机维修、开锁）、洗衣（洗衣、皮具护理）、宠物（宠物店、宠物医院、宠物美容）、摄影（证件照、写真、婚纱照）
教育培训：语言（英语、日语、韩语）、升学（考研、公考、艺考）、职业（会计、编程、设计）、驾校（小车、摩托车）
酒店民宿：酒店（经济型、高档型、主题酒店）、民宿（城市民宿、乡村民宿）、公寓（长租、短租）
医疗健康：口腔（洗牙、正畸、种植）、眼科（配镜、视光）、体检（入职体检、全身体检）、中医（推拿、针灸、理疗）
婚庆服务：`
type Rules = Partial<
  Pick<
    typeof shop_category.$inferInsert,
    'commission_bp' | 'product_kinds' | 'need_licenses' | 'status'
  >
>
const rules: Readonly<Record<string, Rules>> = {
  美食: { commission_bp: 600 },
  丽人: { commission_bp: 1000 },
  休闲娱乐: { commission_bp: 800 },
  教育培训: { commission_bp: 1200, product_kinds: ['bulks', 'card'] },
  医疗健康: { commission_bp: 1000, product_kinds: ['bulks', 'card'] },
  中医: { commission_bp: 800 },
  口腔: { need_licenses: ['医疗器械经营备案'] },
  自助餐: { need_licenses: ['食品经营许可证'] },
  // It is being prepared, and nobody sees it yet; a part of another one is out of season.
  酒店民宿: { status: 'off' },
  滑雪: { status: 'off' },
}
type Row = typeof shop_category.$inferInsert & { id: number; name: string }

const seedShopCategories = async (db: Db, now: number): Promise<void> => {
  const [last] = await db.select({ id: max(shop_category.id) }).from(shop_category)
  const roots = new Map(
    (await db.select().from(shop_category).where(isNull(shop_category.parent_id))).map(row => [
      row.name,
      row.id,
    ]),
  )
  const rows: Row[] = []
  const add = (name: string, level: number, parent_id: number | null, sort: number): number => {
    const id = last!.id! + rows.length + 1
    rows.push({
      id,
      name,
      level,
      parent_id,
      sort,
      commission_min_bp: 0,
      commission_max_bp: 3000,
      floor_bp: 3000,
      need_licenses: [],
      created_at: now - 300 * DAY,
      updated_at: now - 300 * DAY,
      ...rules[name],
    })
    return id
  }
  for (const [at, line] of branches.split('\n').entries()) {
    const [root, below] = line.split('：') as [string, string]
    const top = roots.get(root) ?? add(root, 1, null, 1000 + at)
    for (const [place, [, name, leaves]] of [
      ...below.matchAll(/([^、（]+)（([^）]+)）/g),
    ].entries()) {
      const middle = add(name!, 2, top, 1000 + place)
      for (const [sort, leaf] of leaves!.split('、').entries()) add(leaf, 3, middle, sort)
    }
  }
  // One was merged away; its number leads to the other one.
  const meals = rows.find(row => row.name === '西餐')!
  rows.push({ ...meals, id: last!.id! + rows.length + 1, name: '西式简餐', status: 'off' })
  rows.at(-1)!.merged_into = meals.id
  // Rows that are inserted together set the same columns.
  await insertRows(
    db,
    shop_category,
    rows.map(row => ({
      commission_bp: null,
      product_kinds: [],
      status: 'on' as const,
      merged_into: null,
      ...row,
    })),
  )
  for (const [name, id] of roots)
    if (rules[name]) await db.update(shop_category).set(rules[name]).where(eq(shop_category.id, id))
  // Siblings are numbered anew, those that were there first.
  await db.execute(
    sql`update shop_category c set sort = n.at from (select id, row_number() over (partition by coalesce(parent_id, 0) order by sort, id)::int - 1 as at from shop_category) n where n.id = c.id`,
  )
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 15, branch: 'shop-categories', run: (db, _, { now }) => seedShopCategories(db, now) },
]
