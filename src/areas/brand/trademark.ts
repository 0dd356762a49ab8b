import type { Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'

/** A Chinese registration, with its division where it has one, or an international one. */
export const TRADEMARK_NO = /^(\d{5,9}[A-Z]?|G\d{6,8}[A-Z]?)$/
/** A trademark or an authorisation that ends within so long is told of. */
export const ENDS_SOON_S = 30 * DAY

/** The classes of goods (1–34) and services (35–45) that trademarks are registered for. */
const trademarkClasses = {
  1: ['化学原料', 'Chemicals'],
  2: ['颜料油漆', 'Paints'],
  3: ['日化用品', 'Cosmetics'],
  4: ['燃料油脂', 'Fuels'],
  5: ['医药', 'Medicines'],
  6: ['金属材料', 'Metals'],
  7: ['机械设备', 'Machines'],
  8: ['手工器械', 'Hand tools'],
  9: ['科学仪器', 'Instruments'],
  10: ['医疗器械', 'Medical devices'],
  11: ['灯具空调', 'Lighting and heating'],
  12: ['运输工具', 'Vehicles'],
  13: ['军火烟火', 'Fireworks'],
  14: ['珠宝钟表', 'Jewellery'],
  15: ['乐器', 'Musical instruments'],
  16: ['办公用品', 'Stationery'],
  17: ['橡胶制品', 'Rubber'],
  18: ['皮革皮具', 'Leather'],
  19: ['建筑材料', 'Building materials'],
  20: ['家具', 'Furniture'],
  21: ['厨房洁具', 'Kitchenware'],
  22: ['绳网袋篷', 'Ropes and tents'],
  23: ['纱线丝', 'Yarns'],
  24: ['布料床单', 'Textiles'],
  25: ['服装鞋帽', 'Clothing'],
  26: ['花边拉链', 'Haberdashery'],
  27: ['地毯席垫', 'Carpets'],
  28: ['健身器材', 'Toys and sports'],
  29: ['食品', 'Meat, fruit and dairy'],
  30: ['方便食品', 'Staple food'],
  31: ['农林生鲜', 'Fresh produce'],
  32: ['啤酒饮料', 'Beverages'],
  33: ['酒', 'Alcohol'],
  34: ['烟草烟具', 'Tobacco'],
  35: ['广告销售', 'Retail and advertising'],
  36: ['金融物管', 'Finance'],
  37: ['建筑修理', 'Construction and repair'],
  38: ['通讯服务', 'Telecommunications'],
  39: ['运输贮藏', 'Transport'],
  40: ['材料加工', 'Treatment of materials'],
  41: ['教育娱乐', 'Education and entertainment'],
  42: ['科技服务', 'Technology'],
  43: ['餐饮住宿', 'Food and lodging'],
  44: ['医疗园艺', 'Medical and beauty care'],
  45: ['社会服务', 'Legal and social services'],
} as const satisfies Record<number, Text>
export const CLASS_LAST = 45
/** A class as it is said: `第 43 类 餐饮住宿`. */
export const classText = (one: number): Text => {
  const [zh, en] = trademarkClasses[one as keyof typeof trademarkClasses] ?? ['', '']
  return [`第 ${one} 类 ${zh}`, `Class ${one} ${en}`]
}
