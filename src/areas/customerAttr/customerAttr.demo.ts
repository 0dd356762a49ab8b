import { wecom_customer } from '#src/areas/wecom/wecom.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { customer_attr, customer_attr_value } from './customerAttr.table.ts'

const family = [
  { key: 'single', label: '单身' },
  { key: 'couple', label: '二人世界' },
  { key: 'with_kids', label: '有孩子' },
  { key: 'three_generations', label: '三代同堂' },
]
const defs = [
  { key: 'family', label: '家庭结构', type: 'choice', options: family },
  { key: 'child_birthday', label: '孩子生日', type: 'date', options: [] },
  { key: 'budget', label: '月消费预算', type: 'number', options: [] },
  { key: 'car_plate', label: '常用车牌', type: 'text', options: [] },
  {
    key: 'style',
    label: '穿着偏好',
    type: 'choice',
    options: [
      { key: 'formal', label: '通勤' },
      { key: 'sport', label: '运动' },
      { key: 'casual', label: '休闲' },
    ],
  },
  { key: 'old_card', label: '旧会员卡号', type: 'text', options: [], status: 'disabled' },
] as const

const seed = async (db: Db, random: Random, { now }: World): Promise<void> => {
  await insertRows(
    db,
    customer_attr,
    defs.map((of, sort) => ({
      key: of.key,
      label: of.label,
      type: of.type,
      options: [...of.options],
      status: 'status' in of ? of.status : ('enabled' as const),
      sort,
    })),
  )
  const attrs = new Map((await db.select().from(customer_attr)).map(one => [one.key, one.id]))
  const customers = await db.select({ id: wecom_customer.id }).from(wecom_customer)
  const values = (): Record<(typeof defs)[number]['key'], string> => ({
    family: random.pick(family).key,
    child_birthday: dateOf(now - random.int(200, 4000) * DAY),
    budget: String(random.int(3, 60) * 100),
    car_plate: `沪A${random.int(10_000, 99_999)}`,
    style: random.pick(['formal', 'sport', 'casual']),
    old_card: String(random.int(100_000, 999_999)),
  })
  const rows = customers.flatMap(({ id }) => {
    if (!random.chance(0.4)) return []
    const all = values()
    return defs.flatMap(({ key }) =>
      random.chance(0.6)
        ? [{ customer_id: id, attr_id: attrs.get(key)!, value: all[key], updated_at: now - DAY }]
        : [],
    )
  })
  await insertRows(db, customer_attr_value, rows)
}

/** After customers. */
export const demo: readonly DemoStep[] = [
  { place: 159, branch: 'customer attributes', title: '客户属性 / Attributes', run: seed },
]
