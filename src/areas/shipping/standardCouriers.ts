/** A courier as the trade knows it. `pattern` is the form of its numbers, `sample` is one of them. */
export type StandardCourier = {
  name: string
  code: string
  pattern: string
  sample: string
  phone: string
}
const table: readonly (readonly [
  name: string,
  code: string,
  pattern: string,
  sample: string,
  phone: string,
])[] = [
  ['顺丰速运', 'shunfeng', 'SF\\d{13}', 'SF1438270956123', '95338'],
  ['中通快递', 'zhongtong', '7[3-9]\\d{12}|(?:66|75|76)\\d{10}', '78651203498817', '95311'],
  ['圆通速递', 'yuantong', 'YT\\d{13}', 'YT8830274615509', '95554'],
  ['申通快递', 'shentong', '77\\d{13}|(?:22|33|44|55)\\d{10}', '773104826675913', '95543'],
  ['韵达快递', 'yunda', '[34]\\d{12}|(?:31|43|46)\\d{13}', '4312098765543', '95546'],
  ['极兔速递', 'jtexpress', 'JT\\d{13}', 'JT5210937746128', '956025'],
  ['京东物流', 'jd', 'JD[VXA0-9][A-Z0-9]{11,13}', 'JDVC19830274615', '950616'],
  ['EMS', 'ems', 'E[A-Z]\\d{9}CN|1[01]\\d{11}', 'EB127384659CN', '11183'],
  ['邮政快递包裹', 'youzhengguonei', '9[489]\\d{11}|P[A-Z]\\d{9}CN', '9862037415528', '11185'],
  ['德邦快递', 'debangkuaidi', 'DPK\\d{12}', 'DPK202611203847', '95353'],
  ['丹鸟物流', 'danniao', 'DN\\d{12}|61\\d{13}', 'DN638201947756', '4001188888'],
  ['百世快递', 'huitongkuaidi', 'BEST\\d{11}|5[0-5]\\d{12}', 'BEST10293847561', '4009565656'],
  ['天天快递', 'tiantian', '(?:66|88|99)\\d{10}', '668203947715', '4001888888'],
  ['优速快递', 'youshuwuliu', '5[0-9]\\d{10}', '518830274615', '95349'],
  ['宅急送', 'zhaijisong', 'ZJS\\d{12}|A\\d{12}', 'ZJS001938274655', '4006789000'],
  ['国通快递', 'guotongkuaidi', '(?:2|3|6)\\d{9}', '2938471665', '95327'],
  ['速尔快递', 'suer', '88\\d{10}', '882736451902', '4001588888'],
  ['安能物流', 'annengwuliu', '(?:1|3|5)\\d{11}', '300192837465', '4001048888'],
  ['壹米滴答', 'yimidida', 'YM\\d{12}', 'YM192837465021', '4008988888'],
  ['跨越速运', 'kuayue', 'KY\\d{11,13}', 'KY4000192837465', '4008098098'],
  ['众邮快递', 'zhongyouex', 'ZY\\d{12}', 'ZY019283746510', '4000000616'],
  ['丰网速运', 'fengwang', 'FW\\d{12}', 'FW920183746512', '4009000600'],
  ['中铁快运', 'zhongtiekuaiyun', 'ZT\\d{12}', 'ZT019283746522', '95572'],
  ['信丰物流', 'xinfengwuliu', '(?:13|9)\\d{10}', '130192837465', '4008306333'],
  ['日日顺物流', 'rrs', 'RRS\\d{10,12}', 'RRS1928374650', '4008009999'],
  ['DHL', 'dhl', '\\d{10}', '4738291056', '95380'],
  ['UPS', 'ups', '1Z[A-Z0-9]{16}', '1Z9X82E30372910465', '4008208388'],
  ['FedEx', 'fedex', '(?:7|8)\\d{11}', '794620183746', '4008861888'],
]

/** The couriers of the country, the most used first: what a list of couriers is begun and brought up to date with. */
export const standardCouriers: readonly StandardCourier[] = table.map(
  ([name, code, pattern, sample, phone]) => ({ name, code, pattern, sample, phone }),
)
