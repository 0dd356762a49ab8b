/** Names longer than any column, as merchants do choose them. */
export const longNames: readonly string[] = [
  '内蒙古自治区呼伦贝尔市海拉尔区满洲里路老北京铜锅涮羊肉旗舰总店（万达广场二期负一层美食城店）',
  '新疆维吾尔自治区克孜勒苏柯尔克孜自治州阿图什市古尔邦节限定八人烤全羊豪华团圆套餐含酒水饮料',
  '欧阳司徒慕容婉清手作烘焙工作室法式千层提拉米苏抹茶红豆生日蛋糕双层定制款十二寸可写字可加急',
]

export type Row = {
  id: number
  name: string
  state: 'on' | 'off'
  count: number
  price_cents: number
  at: number | null
}
const names = ['四人火锅套餐', '双人下午茶', '健身月卡', '足疗代金券', '面包礼盒']
/** Rows enough to scroll through. */
export const rows: readonly Row[] = Array.from({ length: 60 }, (_, at) => ({
  id: at + 1,
  name: `${names[at % names.length]!} ${at + 1}`,
  state: at % 3 === 0 ? 'off' : 'on',
  count: (at * 37) % 500,
  price_cents: at % 7 === 0 ? -1250 : (at * 1399) % 100_000,
  at: at % 9 === 0 ? null : 1_795_000_000 + at * 7200,
}))
