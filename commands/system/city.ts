import {
  BANNER_IMAGE_BYTES,
  bannerCan,
  positionNames,
  type BannerVerb,
} from '#src/areas/content/banner.ts'
import {
  cityCan,
  cityChecks,
  hotModes,
  hotStyles,
  insideChina,
  missingChecks,
  type CityBlock,
  type CityVerb,
  type HotMode,
} from '#src/areas/place/city.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { cityRow, type CityRow } from '#src/contract/places.ts'
import { say, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  banner as bannerCalls,
  bannerRow,
  type BannerRow,
} from '#src/modules/system/contract/banner.ts'
import { city as cityCalls } from '#src/modules/system/contract/city.ts'
import {
  actAreaRow,
  reStoreRow,
  settings as settingCalls,
  type ActAreaRow,
  type ReStoreRow,
} from '#src/modules/system/contract/citySettings.ts'
import { action, ask, byKeyword, called, inAll, recordFinder, to } from '../command.ts'
import { banner, city, cityConfig } from '../pages/system.ts'
import { citiesAsk, cityAsk, mallAsk } from '../places.ts'
import {
  asking,
  createAction,
  exportAction,
  formOf,
  idOf,
  one,
  pageAction,
  reason,
  rowActions,
} from '../record.ts'
import { linkAsks, linked } from './link.ts'

const pinned = (typed: string): readonly [string, string] | undefined => {
  const parts = typed
    .normalize('NFKC')
    .split(/[,\s]+/)
    .filter(Boolean)
  return parts.length === 2 && insideChina(parts[0]!, parts[1]!)
    ? [parts[0]!, parts[1]!]
    : undefined
}
const pin = {
  label: ['中心坐标', 'Centre'],
  max: 40,
  hint: ['经度, 纬度，如 121.4737, 31.2304', 'Longitude, latitude, such as 121.4737, 31.2304'],
  check: (typed: string): Text | undefined =>
    pinned(typed)
      ? undefined
      : ['须为中国境内的“经度, 纬度”', 'A longitude and latitude inside China'],
} as const
const at = (typed: string | undefined) => {
  const found = typed ? pinned(typed) : undefined
  return found ? { lng: found[0], lat: found[1] } : {}
}
const cityAt = { at: city, on: cityRow, takes: 'row' } as const
called(cityRow, of => of.city_name)
const canCity =
  (verb: CityVerb) =>
  (row: CityRow): true | Text =>
    cityCan(verb, row)
export const cityActions = {
  add: action(cityCalls.add, {
    title: '新增城市',
    en: 'Add a city',
    key: 'c',
    at: city,
    main: true,
    asks: {
      adcode: ask.entity({
        label: ['行政区划', 'Division'],
        find: cityCalls.divisions,
        labelOf: (row, lang) =>
          `${row.city_name} · ${row.province} ${row.id}${row.pinned ? '' : say([' · 需填坐标', ' · needs coordinates'], lang)}`,
      }),
      lng: ask.text({
        ...pin,
        optional: true,
        hint: ['留空取政府驻地坐标', 'Empty: coordinates of the local government'],
      }),
    },
    input: (_, asked) => ({ adcode: String(asked.adcode), ...at(asked.lng) }),
  }),
  edit: action(cityCalls.edit, {
    title: '编辑城市',
    en: 'Edit city',
    key: 'e',
    ...cityAt,
    asks: {
      city_name: ask.text({
        label: ['城市名称', 'Name'],
        max: 32,
        initial: rows => rows[0]?.city_name,
      }),
      lng: ask.text({ ...pin, initial: rows => rows[0] && `${rows[0].lng}, ${rows[0].lat}` }),
    },
    input: (rows, asked) => ({ ...one(rows), city_name: asked.city_name, ...at(asked.lng) }),
  }),
  open: action(cityCalls.open, {
    title: '开城',
    en: 'Open',
    key: 'o',
    ...cityAt,
    main: true,
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), reason: asked.reason }),
    when: row => {
      const can = cityCan('open', row)
      const lacking = missingChecks(row.checklist)
      return can !== true || lacking.length === 0
        ? can
        : [
            `缺少：${lacking.map(key => cityChecks[key][0]).join('、')}`,
            `It lacks: ${lacking.map(key => cityChecks[key][1]).join(', ')}`,
          ]
    },
  }),
  pause: action(cityCalls.pause, {
    title: '暂停服务',
    en: 'Pause',
    key: 'p',
    danger: true,
    ...cityAt,
    when: canCity('pause'),
    asks: {
      reason: {
        ...reason,
        hint: [
          '买家看不到这个城市；已付款的订单仍可核销和退款',
          'Buyers don’t see it; paid orders can still be redeemed and refunded',
        ],
      } as typeof reason,
    },
    input: (rows, asked) => ({ ...one(rows), reason: asked.reason }),
  }),
  setDefault: action(cityCalls.setDefault, {
    title: '设为默认城市',
    en: 'Make default',
    key: 'd',
    ...cityAt,
    when: canCity('setDefault'),
    input: one,
  }),
  sort: action('system.city.sort', {
    title: '保存城市排序',
    en: 'Save the order',
    key: 's',
    permit: cityCalls.sort.permit,
    at: city,
  }),
  gotoConfig: action('system.city.gotoConfig', {
    title: '进入城市配置',
    en: 'City settings',
    key: 'i',
    ...cityAt,
    main: true,
    to: rows => to(cityConfig, { city_id: rows[0]!.id }),
  }),
  del: action(cityCalls.del, {
    title: '删除城市',
    en: 'Delete city',
    danger: true,
    ...cityAt,
    when: canCity('del'),
    input: rows => ({ id: rows[0]!.id }),
  }),
  export: action(cityCalls.export, {
    title: '导出城市',
    en: 'Export cities',
    key: 'shift+e',
    at: city,
  }),
}

const newOnly = ask.flag({
  label: ['仅新会员可见', 'New members only'],
  initial: rows => rows[0]?.audience?.new_only === true,
})
const ends =
  (start: 'start_at') =>
  (value: number | undefined, answers: Record<string, unknown>): Text | undefined =>
    value !== undefined && typeof answers[start] === 'number' && value <= answers[start]
      ? ['须晚于开始时间', 'Must be after the start']
      : undefined

const storeAt = { at: cityConfig, on: reStoreRow } as const
called(reStoreRow, of => of.store_name || of.city_name)
const isStore = (row: object): true | Text =>
  'store_id' in row || ['请先选择推荐门店', 'Choose a recommended store first']
const isArea = (row: object): true | Text =>
  'sub_title' in row || ['请先选择活动专区', 'Choose an activity area first']
const areaForm = formOf(
  {
    title: ask.text({ label: ['标题', 'Title'], max: 12 }),
    sub_title: ask.text({ label: ['副标题', 'Subtitle'], max: 20, optional: true }),
    image: ask.images({ label: ['图片（2:1）', 'Picture (2:1)'], max: 1, ratio: [2, 1] }),
    ...linkAsks,
    start_at: ask.time({ label: ['开始时间', 'From'] }),
    end_at: ask.time({ label: ['结束时间', 'Until'], check: ends('start_at') }),
    audience: newOnly,
  },
  ({ title, sub_title, image, start_at, end_at, audience, ...link }) => ({
    title,
    sub_title: sub_title ?? '',
    image: image[0]!,
    ...linked(link),
    audience: audience ? { new_only: true } : {},
    start_at: start_at!,
    end_at: end_at!,
  }),
)
const orders = {
  'hot_mall re_store act_area': ['热门商圈 → 推荐门店 → 活动专区', 'Hot malls → stores → areas'],
  'hot_mall act_area re_store': ['热门商圈 → 活动专区 → 推荐门店', 'Hot malls → areas → stores'],
  're_store hot_mall act_area': ['推荐门店 → 热门商圈 → 活动专区', 'Stores → hot malls → areas'],
  're_store act_area hot_mall': ['推荐门店 → 活动专区 → 热门商圈', 'Stores → areas → hot malls'],
  'act_area hot_mall re_store': ['活动专区 → 热门商圈 → 推荐门店', 'Areas → hot malls → stores'],
  'act_area re_store hot_mall': ['活动专区 → 推荐门店 → 热门商圈', 'Areas → stores → hot malls'],
} as const satisfies Record<string, Text>
/** What the page gives its actions that take no row: its city, with what is set there now. */
export type ThisCity = { id: number; name: string }
export type SettingsNow = ThisCity & {
  version: number
  settings: {
    home_title: string
    service_phone: string
    default_mid: number
    show_hot_mall: boolean
    show_re_store: boolean
    show_act_area: boolean
    block_order: readonly CityBlock[]
  }
  default_mall?: string | undefined
}
export type HotNow = ThisCity & {
  version: number
  title: string
  show: boolean
  mode: HotMode
  limit_count: number
  style: 'card' | 'list'
  malls: readonly { mid: number; name: string }[]
}
const cityOf = (rows: readonly unknown[]): number => (rows[0] as ThisCity).id
export const cityConfigActions = {
  setReStore: action(settingCalls.setReStore, {
    title: '设置推荐门店',
    en: 'Recommend stores',
    key: 'n',
    at: cityConfig,
    main: true,
    asks: {
      store_ids: ask.entities({
        label: ['门店', 'Stores'],
        max: 50,
        find: settingCalls.stores,
        labelOf: row => [row.name, row.mall_name, row.category_name].filter(Boolean).join(' · '),
        given: rows => ({ city_id: rows[0]?.id }),
      }),
      start_at: ask.time({
        label: ['开始时间', 'From'],
        optional: true,
        hint: ['留空为立即', 'Empty: at once'],
      }),
      end_at: ask.time({
        label: ['结束时间', 'Until'],
        optional: true,
        hint: ['留空为长期', 'Empty: no end'],
        check: ends('start_at'),
      }),
    },
    input: (rows, asked) => ({
      city_id: cityOf(rows),
      store_ids: asked.store_ids,
      ...(asked.start_at ? { start_at: asked.start_at } : {}),
      ...(asked.end_at ? { end_at: asked.end_at } : {}),
    }),
  }),
  setPeriod: action(settingCalls.setPeriod, {
    title: '设置推荐时段',
    en: 'Set the period',
    key: 'e',
    ...storeAt,
    takes: 'row',
    when: isStore,
    asks: {
      start_at: ask.time({
        label: ['开始时间', 'From'],
        optional: true,
        initial: rows => rows[0]?.start_at ?? undefined,
      }),
      end_at: ask.time({
        label: ['结束时间', 'Until'],
        optional: true,
        initial: rows => rows[0]?.end_at ?? undefined,
        check: ends('start_at'),
      }),
    },
    input: (rows, asked) => ({
      ...one(rows),
      start_at: asked.start_at ?? null,
      end_at: asked.end_at ?? null,
    }),
  }),
  delReStore: action(settingCalls.delReStore, {
    title: '移除推荐门店',
    en: 'Remove stores',
    key: 'd',
    danger: true,
    ...storeAt,
    when: isStore,
    input: (rows: readonly ReStoreRow[]) => ({
      city_id: rows[0]!.city_id,
      ids: rows.map(row => row.id),
    }),
  }),
  sortReStore: action('system.city.config.sortReStore', {
    title: '保存门店排序',
    en: 'Save the order of stores',
    key: 's',
    permit: settingCalls.sortReStore.permit,
    at: cityConfig,
  }),
  setHotMallSettings: action(settingCalls.setHotMallSettings, {
    title: '保存热门商圈设置',
    en: 'Set hot malls',
    key: 'shift+m',
    at: cityConfig,
    main: true,
    asks: {
      title: ask.text({ label: ['标题', 'Title'], max: 12, initial: rows => rows[0]?.title }),
      show: ask.flag({ label: ['在首页展示', 'Shown'], initial: rows => rows[0]?.show }),
      mode: ask.choice({
        label: ['排序方式', 'Order'],
        options: hotModes,
        initial: rows => rows[0]?.mode,
      }),
      limit_count: ask.number({
        label: ['展示数量', 'How many'],
        min: 1,
        max: 10,
        initial: rows => rows[0]?.limit_count,
      }),
      style: ask.choice({
        label: ['样式', 'Style'],
        options: hotStyles,
        initial: rows => rows[0]?.style,
      }),
      mids: ask.entities({
        label: ['商场（按此顺序）', 'Malls, in this order'],
        max: 10,
        shown: answers => answers.mode === 'manual',
        find: mallPicker,
        key: 'mid',
        labelOf: row => row.name,
        given: rows => ({ city_id: rows[0]?.id }),
        initial: rows => rows[0]?.malls.map((row: { mid: number }) => row.mid),
        named: rows =>
          Object.fromEntries(
            (rows[0]?.malls ?? []).map((row: { mid: number; name: string }) => [row.mid, row.name]),
          ),
      }),
    },
    input: (rows, asked) => ({
      city_id: cityOf(rows),
      version: (rows[0] as HotNow).version,
      title: asked.title,
      show: asked.show,
      mode: asked.mode as HotMode,
      limit_count: asked.limit_count,
      style: asked.style as 'card' | 'list',
      mids: asked.mode === 'manual' ? asked.mids : [],
    }),
  }),
  setActArea: action(settingCalls.setActArea, {
    title: '新增活动专区',
    en: 'New activity area',
    key: 'c',
    at: cityConfig,
    main: true,
    asks: areaForm.asks,
    input: (rows, asked) => ({ city_id: cityOf(rows), ...areaForm.input(asked) }),
  }),
  editActArea: action(settingCalls.editActArea, {
    title: '编辑活动专区',
    en: 'Edit activity area',
    key: 'm',
    at: cityConfig,
    on: actAreaRow,
    takes: 'row',
    when: isArea,
    asks: areaForm.asks,
    input: (rows: readonly ActAreaRow[], asked) => ({
      ...one(rows),
      city_id: rows[0]!.city_id,
      ...areaForm.input(asked),
    }),
  }),
  delActArea: action(settingCalls.delActArea, {
    title: '删除活动专区',
    en: 'Delete activity area',
    danger: true,
    at: cityConfig,
    on: actAreaRow,
    takes: 'row',
    when: isArea,
    input: rows => ({ id: rows[0]!.id }),
  }),
  sortActArea: action('system.city.config.sortActArea', {
    title: '保存专区排序',
    en: 'Save the order of areas',
    key: 'shift+s',
    permit: settingCalls.sortActArea.permit,
    at: cityConfig,
  }),
  edit: action(settingCalls.edit, {
    title: '编辑首页展示',
    en: 'Home page settings',
    key: 'o',
    at: cityConfig,
    asks: {
      home_title: ask.text({
        label: ['首页标题', 'Home title'],
        max: 24,
        optional: true,
        initial: rows => rows[0]?.settings.home_title,
      }),
      service_phone: ask.text({
        label: ['客服电话', 'Service phone'],
        max: 20,
        optional: true,
        initial: rows => rows[0]?.settings.service_phone,
      }),
      default_mid: mallAsk({
        label: ['默认商场', 'Default mall'],
        optional: true,
        given: rows => ({ city_id: rows[0]?.id }),
        initial: rows => rows[0]?.settings.default_mid || undefined,
        named: rows => rows[0]?.default_mall,
      }),
      order: ask.choice({
        label: ['板块顺序', 'Order of blocks'],
        options: orders,
        initial: rows => rows[0]?.settings.block_order.join(' '),
      }),
      show_hot_mall: ask.flag({
        label: ['展示热门商圈', 'Hot malls shown'],
        initial: rows => rows[0]?.settings.show_hot_mall,
      }),
      show_re_store: ask.flag({
        label: ['展示推荐门店', 'Stores shown'],
        initial: rows => rows[0]?.settings.show_re_store,
      }),
      show_act_area: ask.flag({
        label: ['展示活动专区', 'Areas shown'],
        initial: rows => rows[0]?.settings.show_act_area,
      }),
    },
    input: (rows, asked) => ({
      city_id: cityOf(rows),
      version: (rows[0] as SettingsNow).version,
      settings: {
        home_title: asked.home_title ?? '',
        service_phone: asked.service_phone ?? '',
        default_mid: asked.default_mid ?? 0,
        show_hot_mall: asked.show_hot_mall,
        show_re_store: asked.show_re_store,
        show_act_area: asked.show_act_area,
        block_order: asked.order.split(' ') as CityBlock[],
      },
    }),
  }),
  copyFrom: action(settingCalls.copyFrom, {
    title: '从其他城市复制',
    en: 'Copy from another city',
    key: 'shift+c',
    at: cityConfig,
    asks: {
      from: cityAsk({
        label: ['来源城市', 'From'],
        hint: [
          '复制展示设置与活动专区；门店和商场只属于原城市，会被略过',
          'Settings and areas are copied; stores and malls belong to their city and are skipped',
        ],
      }),
    },
    input: (rows, asked) => ({ city_id: cityOf(rows), from_city_id: asked.from }),
  }),
  preview: action('system.city.config.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'p',
    at: cityConfig,
  }),
}

const canBanner =
  (verb: BannerVerb) =>
  (row: BannerRow): true | Text =>
    bannerCan(verb, row, unixNow())
const bannerAt = rowActions(banner, bannerRow)
const bannerForm = formOf(
  {
    title: ask.text({ label: ['标题', 'Title'], max: 64 }),
    position: ask.choice({ label: ['位置', 'Position'], options: positionNames }),
    image: ask.images({
      label: ['图片', 'Picture'],
      max: 1,
      maxBytes: BANNER_IMAGE_BYTES,
      hint: [
        '首页与商场 2:1，分类与会员 3:1，下单成功 5:2，搜索 5:1；宽至少 640，不大于 500 KB',
        'Home and mall 2:1, category and member 3:1, order done 5:2, search 5:1; 640 wide or more, 500 KB at most',
      ],
    }),
    ...linkAsks,
    city_ids: citiesAsk({ label: ['投放城市', 'Cities'], max: 400 }),
    mid: mallAsk({
      optional: true,
      shown: answers => answers.position === 'mall' || Boolean(answers.mid),
      labelOf: row => `${row.name} · ${row.city_name}`,
      given: (_, { city_ids }) => (city_ids?.length === 1 ? { city_id: city_ids[0] } : {}),
    }),
    start_at: ask.time({ label: ['开始时间', 'From'] }),
    end_at: ask.time({ label: ['结束时间', 'Until'], check: ends('start_at') }),
    audience: newOnly,
  },
  ({ title, position, image, city_ids, mid, start_at, end_at, audience, ...link }) => ({
    title,
    position,
    image: image[0]!,
    ...linked(link),
    city_ids,
    mid: mid ?? 0,
    start_at: start_at!,
    end_at: end_at!,
    audience: audience ? { new_only: true } : {},
  }),
)
export const bannerActions = {
  create: createAction(bannerCalls.create, ['新增轮播图', 'New banner'], banner, bannerForm),
  edit: bannerAt.edit(bannerCalls.edit, ['编辑轮播图', 'Edit banner'], bannerForm, { main: true }),
  online: bannerAt.row(bannerCalls.online, ['上线', 'Put online'], {
    key: 'o',
    main: true,
    when: canBanner('online'),
    input: one,
  }),
  offline: bannerAt.row(bannerCalls.offline, ['下线', 'Take offline'], {
    key: 'f',
    danger: true,
    when: canBanner('offline'),
    asks: { reason },
    input: asking(asked => asked),
  }),
  batchOffline: bannerAt.row(bannerCalls.batchOffline, ['批量下线', 'Take selected offline'], {
    key: 'shift+f',
    danger: true,
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: canBanner('offline'),
    asks: { reason },
    input: (rows, asked) => ({
      rows: rows.map(({ id, version }) => ({ id, version })),
      ...asked,
    }),
  }),
  copy: bannerAt.row(bannerCalls.copy, ['复制到城市', 'Copy to cities'], {
    key: 'y',
    when: row => row.mid === 0 || ['商场的轮播图不能复制', 'A mall’s banner can’t be copied'],
    asks: { city_ids: citiesAsk({ max: 100, named: () => undefined }) },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  sort: pageAction('system.banner.sort', ['保存顺序', 'Save the order'], banner, {
    key: 's',
    permit: bannerCalls.sort.permit,
  }),
  lstBannerClickLog: bannerAt.row(bannerCalls.clicks, ['查看点击记录', 'Clicks'], { key: 'l' }),
  export: exportAction(bannerCalls.export, ['导出点击数据', 'Export clicks'], banner),
  del: bannerAt.row(bannerCalls.del, ['删除轮播图', 'Delete banner'], {
    danger: true,
    when: canBanner('del'),
    input: idOf,
  }),
}

export const cities = recordFinder({
  pages: [cityConfig],
  hint: ['城市名称或拼音', 'Name of the city'],
  find: settingCalls.lst,
  asked: byKeyword,
  given: row => ({ type: 'city', id: row.city_id, row }),
  title: row => row.city_name,
  byId: 'city',
})
