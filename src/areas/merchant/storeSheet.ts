/** Stores as a sheet tells of them: its columns, and what its words mean. */
import { plain } from '#src/areas/sheet/heads.ts'
import type { SheetColumn } from '#src/areas/sheet/table.ts'
import { centsOf } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { areHours, hoursFault, noHours, weekdayNames, type StoreHours } from './storeHours.ts'

/** The columns; titles of the export of stores are among their names. */
export const storeColumns = [
  {
    key: 'merchant',
    title: ['商户', 'Merchant'],
    names: ['商户名称', '商户编号', '商户号', '所属商户', 'merchantname', 'merchantid'],
    needed: true,
    note: [
      '商户名称、商户号或编号；同名时填编号',
      'Its name or number; the number where several have the name',
    ],
    example: '示例餐饮有限公司',
  },
  {
    key: 'name',
    title: ['门店', 'Store'],
    names: ['门店名称', '门店名', '店名', 'storename', 'name'],
    needed: true,
    note: ['最多 40 个字', 'At most 40 letters'],
    example: '示例面馆（人民广场店）',
  },
  {
    key: 'category',
    title: ['分类', 'Category'],
    names: ['门店分类', '类目', '品类'],
    needed: true,
    note: [
      '末级分类的名称；同名时写上级，如 美食 / 面馆',
      'A category with none below it; with the one above where several have the name: Food / Noodles',
    ],
    example: '美食 / 面馆',
  },
  {
    key: 'city',
    title: ['城市', 'City'],
    names: ['所在城市'],
    note: ['留空为商户所在城市', 'Empty: the city of its merchant'],
    example: '上海',
  },
  {
    key: 'mall',
    title: ['商场', 'Mall'],
    names: ['所在商场', '商场名称'],
    note: ['留空为商场外', 'Empty: outside malls'],
    example: '',
  },
  {
    key: 'floor',
    title: ['楼层', 'Floor'],
    names: ['所在楼层'],
    note: ['商场已有的楼层，如 1F', 'A floor that the mall has, such as 1F'],
    example: '',
  },
  {
    key: 'door',
    title: ['门牌号', 'Door'],
    names: ['门牌', '铺位号'],
    note: ['如 A101', 'Such as A101'],
    example: '',
  },
  {
    key: 'address',
    title: ['地址', 'Address'],
    names: ['详细地址', '门店地址'],
    note: ['商场外的门店必填', 'Required outside malls'],
    example: '人民路 1 号',
  },
  {
    key: 'phone',
    title: ['电话', 'Phone'],
    names: ['门店电话', '联系电话'],
    note: [
      '手机、带区号的座机或 400 电话',
      'A mobile, a landline with its area code, a 400 number',
    ],
    example: '021-55550000',
  },
  {
    key: 'hours',
    title: ['营业时间', 'Hours'],
    names: ['营业时段'],
    note: [
      '如 10:00-22:00、24小时，或 周一至周五 10:00-21:00；周六、周日 10:00-22:00',
      'Such as 10:00-22:00, 24小时, or 周一至周五 10:00-21:00；周六、周日 10:00-22:00',
    ],
    example: '10:00-22:00',
  },
  {
    key: 'price',
    title: ['人均', 'A person'],
    names: ['人均消费', '人均价', '客单价'],
    note: ['元，最多两位小数', 'In yuan, with two decimals at most'],
    example: '88.00',
  },
  {
    key: 'brand',
    title: ['品牌', 'Brand'],
    names: ['品牌名称'],
    note: ['品牌库中启用的品牌', 'A brand of the library that is on'],
    example: '',
  },
] as const satisfies readonly SheetColumn[]
export type StoreKey = (typeof storeColumns)[number]['key']

const dayOf = (word: string): number =>
  weekdayNames.findIndex(
    ([zh]) => zh === word.replace(/^(?:星期|礼拜)/, '周').replace('周天', '周日'),
  ) + 1
/** Weekdays in words (`周一至周五`, `周六、周日`, `每天`), 1 Monday; undefined where they are none. */
const daysOf = (words: string): number[] | undefined => {
  if (words === '' || /^(?:每天|每日|全周|周一至周日)$/.test(words)) return [1, 2, 3, 4, 5, 6, 7]
  const days = words.split(/[、,]/).flatMap(part => {
    const [from, to = from] = part.split(/[至到~-]/).map(dayOf)
    if (!from || !to || to < from) return [0]
    return Array.from({ length: to - from + 1 }, (_, at) => from + at)
  })
  return days.includes(0) ? undefined : [...new Set(days)]
}
const timeOf = (word: string): string => (word.length === 4 ? `0${word}` : word)
const SPAN = /(\d{1,2}:\d\d)[-–—~至到](?:次日)?(\d{1,2}:\d\d)|24小时/g
/** Spans of a part, and the days that they are of. */
const weekOf = (part: string): StoreHours['week'] | undefined => {
  const spans = [...part.matchAll(SPAN)]
  const first = spans[0]
  const days = first && daysOf(part.slice(0, first.index))
  const rest = first && part.slice(first.index).replace(SPAN, '').replace(/[、,]/g, '')
  if (!days || rest !== '') return undefined
  return spans.map(([, from, to]) => ({
    weekdays: days,
    from: from === undefined ? '00:00' : timeOf(from),
    to: to === undefined ? '24:00' : timeOf(to),
  }))
}
const unreadable: Text = [
  '“营业时间”无法识别，请写作 10:00-22:00，分星期的用分号隔开',
  'The hours can’t be read: write 10:00-22:00, with semicolons between weekdays',
]
/** Opening hours as `hoursWords` writes them, or in simpler words; none of an empty text. */
export const hoursTyped = (typed: string): StoreHours | { fault: Text } => {
  const words = plain(typed).replace(/\s/g, '')
  if (words === '') return noHours
  const parts = words.split(/[;。]/).filter(Boolean).map(weekOf)
  if (parts.some(part => part === undefined)) return { fault: unreadable }
  const hours = { week: parts.flatMap(part => part!), holidays: [] }
  const fault = hoursFault(hours)
  if (fault) return { fault: [`“营业时间”${fault[0]}`, fault[1]] }
  return areHours(hours) ? hours : { fault: unreadable }
}
/** A price for a person in cents, 0 of an empty text. */
export const priceTyped = (typed: string): number | { fault: Text } => {
  if (typed === '') return 0
  return (
    centsOf(plain(typed)) ?? {
      fault: [
        `“人均”${typed.slice(0, 20)} 不是金额，请填写元，最多两位小数`,
        `${typed.slice(0, 20)} is no amount: write yuan with two decimals at most`,
      ],
    }
  )
}
/** Whether a mall's cell means that there is none. */
export const isOutside = (mall: string): boolean =>
  ['', '商场外', 'Outside malls', '无', '-'].includes(mall)
/** A name as `plainName` (server/db/names.ts) compares it. */
export const nameKey = (name: string): string => plain(name).replace(/\s+/g, ' ').toLowerCase()
/** A path of categories as it is compared, whichever signs part its names. */
export const pathKey = (path: string): string =>
  path
    .split(/[/>›＞／]/)
    .map(nameKey)
    .filter(Boolean)
    .slice(-2)
    .join('/')
/** What tells where a store stands, for comparing: its mall, floor, door and address. */
export type SheetPlace = { mall_id: number; floor: string; door: string; address: string }
export const samePlace = (one: SheetPlace, other: SheetPlace): boolean =>
  one.mall_id === other.mall_id &&
  (['floor', 'door', 'address'] as const).every(key => nameKey(one[key]) === nameKey(other[key]))
