import { max } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { e_category } from './merchant.table.ts'

/** Branches without products yet: root, what stands below it, and below that. */
const branches = `数码家电：手机通讯（手机、手机壳、充电器、数据线、贴膜）、电脑办公（笔记本、平板、键鼠、显示器、打印耗材）、影音娱乐（耳机、音箱、投影仪、麦克风）、生活电器（吸尘器、净化器、加湿器、电风扇）、厨房电器（电饭煲、空气炸锅、破壁机、电水壶）、智能设备（手表手环、门锁、摄像头）
服饰内衣：女装（连衣裙、针织衫、外套、半身裙、牛仔裤）、男装（衬衫、夹克、休闲裤、卫衣）、内衣家居（文胸、保暖、家居服、袜子）、童装（上装、裤装、连体衣、童鞋）、运动服饰（速干衣、瑜伽服、冲锋衣）
鞋靴箱包：女鞋（单鞋、凉鞋、短靴、乐福鞋）、男鞋（皮鞋、休闲鞋、拖鞋）、箱包（双肩包、拉杆箱、钱包、腰包）
运动户外：健身器材（哑铃、跑步机、瑜伽垫、拉力带）、户外装备（帐篷、睡袋、登山杖、背包）、骑行（头盔、车灯、骑行服）、球类（篮球、羽毛球、乒乓球、网球）
家装建材：灯具（吊灯、台灯、吸顶灯）、五金工具（电钻、扳手、卷尺）、厨卫（花洒、龙头、水槽、马桶）、墙纸油漆（乳胶漆、墙纸、地坪漆）
家纺家具：床品（四件套、被子、枕头、床垫）、客厅（沙发、茶几、电视柜）、卧室（床、衣柜、床头柜）、窗帘地毯（窗帘、地毯、抱枕）
图书文具：童书（绘本、科普、启蒙）、文学（小说、散文、诗歌）、教辅（小学、初中、高中）、文具（笔、本册、画材、收纳）
宠物生活：主粮（猫粮、狗粮、处方粮）、零食（罐头、冻干、磨牙棒）、用品（猫砂、牵引绳、玩具、窝垫）、护理（洗护、驱虫、美容）
医药健康：营养保健（维生素、蛋白粉、鱼油、益生菌）、医疗器械（血压计、体温计、雾化器）、护理（口罩、消毒、创可贴）
汽车用品：车载电器（记录仪、充气泵、吸尘器）、养护（机油、玻璃水、车蜡）、内饰（脚垫、座套、香薰）、安全（儿童座椅、应急包）`
type Rules = { commission_bp?: number; licences?: readonly string[] }
const rules: Readonly<Record<string, Rules>> = {
  数码家电: { commission_bp: 500 },
  手机通讯: { commission_bp: 300, licences: ['强制性产品认证'] },
  服饰内衣: { commission_bp: 1200 },
  医药健康: { commission_bp: 800, licences: ['食品经营许可证'] },
  医疗器械: { licences: ['医疗器械经营备案'] },
  图书文具: { commission_bp: 600, licences: ['出版物经营许可证'] },
}
/** It is being prepared, and nobody sees it yet; a part of another one is out of season. */
const HIDDEN = ['汽车用品', '电风扇']
type Row = typeof e_category.$inferInsert & { id: number; name: string }

const seedECategories = async (db: Db, now: number): Promise<void> => {
  const [last] = await db
    .select({ id: max(e_category.id), sort: max(e_category.sort) })
    .from(e_category)
  const rows: Row[] = []
  const add = (name: string, level: number, parent_id: number | null, sort: number): number => {
    const { licences = [], ...own } = rules[name] ?? {}
    const id = last!.id! + rows.length + 1
    rows.push({
      id,
      name,
      level,
      parent_id,
      sort,
      commission_bp: own.commission_bp ?? null,
      commission_min_bp: 0,
      commission_max_bp: 3000,
      floor_bp: 3000,
      need_licenses: [...licences],
      status: HIDDEN.includes(name) ? 'off' : 'on',
      created_at: now - 300 * DAY,
      updated_at: now - 300 * DAY,
    })
    return id
  }
  for (const [at, line] of branches.split('\n').entries()) {
    const [root, below] = line.split('：') as [string, string]
    const top = add(root, 1, null, last!.sort! + 1 + at)
    for (const [place, [, name, leaves]] of [
      ...below.matchAll(/([^、（]+)（([^）]+)）/g),
    ].entries()) {
      const middle = add(name!, 2, top, place)
      for (const [sort, leaf] of leaves!.split('、').entries()) add(leaf, 3, middle, sort)
    }
  }
  await insertRows(db, e_category, rows)
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 15, branch: 'e-categories', run: (db, _, { now }) => seedECategories(db, now) },
]
