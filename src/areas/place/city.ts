import type { Text } from '#src/domain/text.ts'

export const cityStates = {
  preparing: ['筹备中', 'Preparing'],
  open: ['已开城', 'Open'],
  paused: ['已暂停', 'Paused'],
} as const satisfies Record<string, Text>
export type CityState = keyof typeof cityStates

/** What a city needs before it opens, in the order in which it is usually done. */
export const cityChecks = {
  mall: ['有上架的商场', 'A mall on shelf'],
  banner: ['有在线的轮播图', 'A banner online'],
  home: ['已保存首页展示方案', 'A home page scheme'],
  contact: ['每个场景都有客服渠道', 'A service contact in every scene'],
} as const satisfies Record<string, Text>
export type CityCheck = keyof typeof cityChecks
export type Checklist = readonly { key: CityCheck; ok: boolean }[]
export const missingChecks = (list: Checklist): CityCheck[] =>
  list.filter(one => !one.ok).map(one => one.key)

export type CityVerb = 'open' | 'pause' | 'setDefault' | 'del'
/**
 * Why a city in this state can't have the verb; what other rows forbid (malls, the checklist) is
 * the server's to know.
 */
export const cityCan = (
  verb: CityVerb,
  city: { status: CityState; is_default: boolean },
): true | Text => {
  if (verb === 'open') return city.status === 'open' ? ['已经开城', 'It is open'] : true
  if (verb === 'pause') {
    if (city.status !== 'open')
      return ['只有已开城的城市可以暂停', 'Only an open city can be paused']
    if (city.is_default)
      return [
        '默认城市不能暂停，请先把另一个城市设为默认',
        'The default city can’t be paused: make another the default first',
      ]
    return true
  }
  if (verb === 'setDefault') {
    if (city.is_default) return ['已是默认城市', 'It is the default']
    return city.status === 'open' || ['默认城市必须是已开城的城市', 'The default city must be open']
  }
  if (city.is_default) return ['默认城市不能删除', 'The default city can’t be deleted']
  return (
    city.status === 'preparing' || [
      '只有筹备中的城市可以删除',
      'Only a city in preparation can be deleted',
    ]
  )
}

const DECIMAL = /^-?\d{1,3}(\.\d{1,8})?$/
/** True for a coordinate inside the bounds of China (its far reefs included). */
export const insideChina = (lng: string, lat: string): boolean =>
  DECIMAL.test(lng) &&
  DECIMAL.test(lat) &&
  Number(lng) >= 73 &&
  Number(lng) <= 136 &&
  Number(lat) >= 3 &&
  Number(lat) <= 54

export const blockOrders = {
  hot_mall: ['热门商圈', 'Hot malls'],
  re_store: ['推荐门店', 'Recommended stores'],
  act_area: ['活动专区', 'Activity areas'],
} as const satisfies Record<string, Text>
export type CityBlock = keyof typeof blockOrders
/** As a city begins, until somebody saves its own. */
export const citySettingsAtFirst = {
  home_title: '',
  service_phone: '',
  default_mid: 0,
  show_hot_mall: true,
  show_re_store: true,
  show_act_area: true,
  block_order: ['hot_mall', 're_store', 'act_area'] as CityBlock[],
}
export const hotModes = {
  manual: ['手动排序', 'By hand'],
  gmv: ['按近 30 天成交', 'By 30-day sales'],
  distance: ['按距离', 'By distance'],
} as const satisfies Record<string, Text>
export type HotMode = keyof typeof hotModes
export const hotMallAtFirst = {
  title: '热门商圈',
  show: true,
  mode: 'gmv' as HotMode,
  limit_count: 6,
  style: 'card' as 'card' | 'list',
}
export const hotStyles = {
  card: ['卡片', 'Cards'],
  list: ['列表', 'List'],
} as const satisfies Record<string, Text>

export const RE_STORE_MAX = 20
export const ACT_AREA_MAX = 4
