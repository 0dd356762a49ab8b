import {
  floorName,
  FLOOR_MAX,
  FLOOR_MIN,
  mallCan,
  mallModules,
  moduleKeys,
  type MallModule,
  type MallOptions,
  type MallVerb,
} from '#src/areas/mall/mall.ts'
import {
  blockReasons,
  hotBadges,
  hotKinds,
  type BlockReason,
  type HotBadge,
  type HotKind,
} from '#src/areas/mall/recommend.ts'
import { guideRules, type GuideRule } from '#src/areas/place/guideRule.ts'
import { mallPicker, mallRow, type MallRow } from '#src/contract/malls.ts'
import { aside, say, type Text } from '#src/domain/text.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  category as categoryCalls,
  categoryRow,
  type CategoryRow,
} from '#src/modules/mall/contract/category.ts'
import {
  floor as floorCalls,
  floorRow,
  floorStore,
  type FloorRow,
  type FloorStore,
} from '#src/modules/mall/contract/floor.ts'
import { hotItem, hots, type HotItem } from '#src/modules/mall/contract/hot.ts'
import { mall as mallCalls, RIVALS_MOST } from '#src/modules/mall/contract/index.ts'
import {
  couponBoard,
  couponRow,
  featuredBoard,
  groupBoard,
  offerRow,
  recommendSet,
  storeRow,
  voucherBoard,
  type StoreRow,
} from '#src/modules/mall/contract/recommend.ts'
import { shopBoard } from '#src/modules/mall/contract/shopBoard.ts'
import { action, ask, called, inAll, to } from '../command.ts'
import {
  categories,
  coupons,
  featured,
  floors,
  groups,
  hot,
  mallForm,
  malls,
  shops,
  vouchers,
} from '../pages/mall.ts'

const why = ask.text({ label: ['原因', 'Reason'], max: 200, min: 2, lines: 3 })
const required: Text = ['必填', 'Required']
/** A board's place, given by its page. */
type Place = { mid: number; city_id: number }
const given = (asked: unknown) => asked as Place
const one = (rows: readonly MallRow[]) => ({ mid: rows[0]!.mid, version: rows[0]!.version })
const may = (verb: MallVerb) => (row: MallRow) => mallCan(verb, row)

/** Modules by both names: what an order of them is written with. */
const moduleName = (key: MallModule) => mallModules[key].join(' ')
type Rivals = {
  rival_ids: number[]
  rival_names: Record<string, string>
  guide_rule: GuideRule
}
/** The rivals as they are, which only the detail knows. */
const rivalsOf = (rows: readonly object[]) => rows[0] as Partial<Rivals> | undefined
const optionsOf = (rows: readonly { options?: MallOptions }[]) => rows[0]?.options
export const mallActions = {
  create: action('mall.create', {
    title: '新增商场',
    en: 'New mall',
    key: 'c',
    at: malls,
    permit: mallCalls.create.permit,
    main: true,
    to: () => to(mallForm),
  }),
  edit: action('mall.edit', {
    title: '编辑商场',
    en: 'Edit mall',
    key: 'e',
    at: malls,
    permit: mallCalls.edit.permit,
    on: mallRow,
    takes: 'row',
    main: true,
    to: rows => to(mallForm, { mid: rows[0]!.mid }),
  }),
  publish: action(mallCalls.publish, {
    title: '上线',
    en: 'Publish',
    key: 'p',
    at: malls,
    on: mallRow,
    takes: 'row',
    main: true,
    when: may('publish'),
    input: one,
  }),
  offline: action(mallCalls.offline, {
    title: '下线',
    en: 'Take offline',
    key: 'shift+o',
    danger: true,
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('offline'),
    asks: { reason: why },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  close: action(mallCalls.close, {
    title: '关闭商场',
    en: 'Close the mall',
    key: 'shift+x',
    danger: true,
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('close'),
    asks: { reason: why },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  setMallOptions: action(mallCalls.setMallOptions, {
    title: '页面模块开关',
    en: 'Page modules',
    key: 'm',
    at: malls,
    also: [mallForm],
    on: mallRow,
    takes: 'row',
    when: may('edit'),
    asks: {
      shown: ask.choices({
        label: ['展示的模块', 'Modules shown'],
        options: mallModules,
        optional: true,
        initial: rows => moduleKeys.filter(key => optionsOf(rows)?.[`show_${key}`] ?? true),
      }),
      order: ask.order({
        label: ['模块顺序', 'Module order'],
        initial: rows => (optionsOf(rows)?.block_order ?? moduleKeys).map(moduleName),
      }),
    },
    input: (rows, asked) => {
      const was = optionsOf(rows as readonly { options?: MallOptions }[])
      const shown = Object.fromEntries(
        moduleKeys.map(key => [`show_${key}`, (asked.shown ?? []).includes(key)]),
      ) as Record<`show_${MallModule}`, boolean>
      return {
        ...one(rows),
        options: {
          default_tab: was?.default_tab ?? 'shop',
          theme: was?.theme ?? 'light',
          ...shown,
          block_order: asked.order.map(name => moduleKeys.find(key => moduleName(key) === name)!),
        },
      }
    },
  }),
  setGuideRule: action(mallCalls.setGuideRule, {
    title: '设置导购换店规则',
    en: 'Set whose customers stay',
    alias: ['导购客户', 'guide customers'],
    key: 'u',
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('edit'),
    asks: {
      guide_rule: ask.choice({
        label: ['导购换店时的客户', 'When a guide changes store'],
        options: guideRules,
        initial: rows => rivalsOf(rows)?.guide_rule ?? 'merchant',
        hint: [
          '留在原门店的客户进入该门店客户池',
          'Customers staying with the old store go into its customer pool',
        ],
      }),
      reason: why,
    },
    input: (rows, { guide_rule, reason }) => ({ ...one(rows), guide_rule, reason }),
  }),
  setRivals: action(mallCalls.setRivals, {
    title: '设置排他商户',
    en: 'Set the rivals',
    alias: ['竞品', 'competitors'],
    key: 'r',
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('edit'),
    asks: {
      rival_ids: ask.entities({
        label: ['排他商户（不选即没有）', 'Rival merchants (empty: none)'],
        max: RIVALS_MOST,
        optional: true,
        find: mallCalls.rivals,
        labelOf: (of: { name: string }) => of.name,
        initial: rows => rivalsOf(rows)?.rival_ids ?? [],
        named: rows => rivalsOf(rows)?.rival_names,
        none: ['没有商户', 'No merchants'],
        hint: [
          '本商场的分销门店不能分销这些商户的商品',
          'Distributing stores of this mall can’t distribute these merchants’ goods',
        ],
      }),
      reason: why,
    },
    input: (rows, asked) => ({
      ...one(rows),
      rival_ids: asked.rival_ids ?? [],
      reason: asked.reason,
    }),
  }),
  setHot: action(mallCalls.setHot, {
    title: '设为热门',
    en: 'Mark as hot',
    key: 'shift+h',
    at: malls,
    on: mallRow,
    takes: 'row',
    when: row => (row.is_hot ? true : mallCan('setHot', row)),
    input: rows => ({ ...one(rows), is_hot: !rows[0]!.is_hot }),
  }),
  setSort: action(mallCalls.setSort, {
    title: '修改排序',
    en: 'Set the sort order',
    key: 's',
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('edit'),
    asks: {
      sort: ask.number({
        label: ['排序（小的在前）', 'Sort order (smallest first)'],
        min: 0,
        max: 9999,
        initial: rows => rows[0]?.sort,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  del: action(mallCalls.del, {
    title: '删除商场',
    en: 'Delete mall',
    danger: true,
    at: malls,
    on: mallRow,
    takes: 'row',
    when: may('del'),
    asks: { reason: why },
    input: (rows, asked) => ({ mid: rows[0]!.mid, ...asked }),
  }),
  batchOffline: action(mallCalls.batchOffline, {
    title: '批量下线',
    en: 'Take selected offline',
    danger: true,
    at: malls,
    on: mallRow,
    most: 100,
    tells: inAll,
    when: may('offline'),
    asks: { reason: why },
    input: (rows, asked) => ({
      malls: rows.map(row => ({ mid: row.mid, version: row.version })),
      ...asked,
    }),
  }),
  export: action(mallCalls.export, {
    title: '导出商场',
    en: 'Export malls',
    key: 'shift+e',
    at: malls,
  }),
}
export const formActions = {
  saveDraft: action('mall.add.saveDraft', {
    title: '保存草稿',
    en: 'Save draft',
    key: 'shift+s',
    at: mallForm,
    permit: mallCalls.create.permit,
  }),
  submit: action('mall.add.submit', {
    title: '保存',
    en: 'Save',
    key: 'mod+s',
    at: mallForm,
    permit: mallCalls.edit.permit,
    main: true,
  }),
  publish: action('mall.add.publish', {
    title: '保存并上线',
    en: 'Save and publish',
    key: 'mod+enter',
    at: mallForm,
    permit: mallCalls.publish.permit,
    main: true,
  }),
  locate: action('mall.add.locate', {
    title: '地图选点',
    en: 'Set the pin',
    key: 'l',
    at: mallForm,
  }),
  checkDuplicate: action('mall.add.checkDuplicate', {
    title: '检查重复商场',
    en: 'Check for duplicates',
    key: 'd',
    at: mallForm,
    permit: mallCalls.checkDuplicate.permit,
  }),
  preview: action('mall.add.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    at: mallForm,
  }),
}

const hotFields = {
  kind: ask.choice({
    label: ['类型', 'Kind'],
    options: hotKinds,
    initial: rows => rows[0]?.kind ?? 'keyword',
  }),
  title: ask.text({ label: ['展示文字', 'Text shown'], max: 20, initial: rows => rows[0]?.title }),
  ref: ask.entity({
    label: ['目标', 'Target'],
    find: hots.targets,
    labelOf: row => row.name,
    named: rows => rows[0]?.ref_name,
    initial: rows => rows[0]?.ref_id ?? undefined,
    given: (rows, answers) => ({
      mid: rows[0]?.mid ?? answers.mid,
      city_id: rows[0]?.city_id ?? answers.city_id,
      kind: answers.kind,
    }),
    shown: answers => answers.kind !== 'keyword' && answers.kind !== 'link',
  }),
  link: ask.entity({
    label: ['链接', 'Link'],
    find: hots.targets,
    labelOf: row => row.name,
    named: rows => rows[0]?.ref_name,
    initial: rows => rows[0]?.page_link_id ?? undefined,
    given: () => ({ kind: 'link' }),
    shown: answers => answers.kind === 'link',
  }),
  image: ask.images({
    label: ['卡片图片', 'Card picture'],
    max: 1,
    optional: true,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => (rows[0]?.image ? [rows[0].image] : []),
    shown: answers => answers.kind !== 'keyword',
  }),
  badge: ask.choice({
    label: ['角标', 'Badge'],
    options: hotBadges,
    initial: rows => rows[0]?.badge ?? 'none',
  }),
  start_at: ask.time({ label: ['开始', 'From'], initial: rows => rows[0]?.start_at ?? unixNow() }),
  end_at: ask.time({
    label: ['结束', 'Until'],
    initial: rows => rows[0]?.end_at ?? unixNow() + 30 * DAY,
    check: (value, answers) =>
      value !== undefined && value <= answers.start_at
        ? ['结束须晚于开始', 'Must be after the start']
        : undefined,
  }),
}
type HotAsked = {
  kind: string
  title: string
  ref?: number
  link?: number
  image?: string[]
  badge: string
  start_at: number | undefined
  end_at: number | undefined
}
const hotBody = (asked: HotAsked) => ({
  kind: asked.kind as HotKind,
  title: asked.title,
  badge: asked.badge as HotBadge,
  start_at: asked.start_at ?? 0,
  end_at: asked.end_at ?? 0,
  ...(asked.kind !== 'keyword' && {
    image: asked.image?.[0] ?? '',
    ...(asked.kind === 'link' ? { page_link_id: asked.link } : { ref_id: asked.ref }),
  }),
})
const hotOne = (rows: readonly HotItem[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
export const hotActions = {
  add: action(hots.add, {
    title: '新增热门',
    en: 'Add hot item',
    key: 'c',
    at: hot,
    main: true,
    asks: hotFields,
    input: (_, asked) => ({
      mid: given(asked).mid,
      city_id: given(asked).city_id,
      ...hotBody(asked),
    }),
  }),
  edit: action(hots.edit, {
    title: '编辑热门',
    en: 'Edit hot item',
    key: 'e',
    at: hot,
    on: hotItem,
    takes: 'row',
    main: true,
    asks: hotFields,
    input: (rows, asked) => ({ ...hotOne(rows), ...hotBody(asked) }),
  }),
  del: action(hots.del, {
    title: '删除热门',
    en: 'Delete hot item',
    key: 'd',
    danger: true,
    at: hot,
    on: hotItem,
    takes: 'row',
    input: rows => ({ id: rows[0]!.id }),
  }),
  sort: action(hots.sort, { title: '调整顺序', en: 'Save the order', key: 's', at: hot }),
  on: action(hots.on, {
    title: '启用',
    en: 'Enable',
    key: 'a',
    at: hot,
    on: hotItem,
    takes: 'row',
    when: row => row.status === 'off' || ['已启用', 'Already enabled'],
    input: hotOne,
  }),
  off: action(hots.off, {
    title: '停用',
    en: 'Disable',
    key: 'o',
    at: hot,
    on: hotItem,
    takes: 'row',
    when: row => row.status === 'on' || ['已停用', 'Already disabled'],
    input: hotOne,
  }),
  userList: action('mall.hot.userList', {
    title: '查看点击用户',
    en: 'See who clicked',
    key: 'l',
    at: hot,
    on: hotItem,
    takes: 'row',
    permit: hots.userList.permit,
  }),
  copyToMall: action(hots.copy, {
    title: '复制到其他商场',
    en: 'Copy to other malls',
    key: 'shift+c',
    at: hot,
    on: hotItem,
    takes: 'row',
    asks: {
      mids: ask.entities({
        label: ['商场', 'Malls'],
        find: mallPicker,
        key: 'mid',
        max: 50,
        labelOf: row => `${row.name} · ${row.city_name}`,
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, copy_to_mids: asked.mids }),
  }),
  export: action(hots.export, {
    title: '导出点击用户',
    en: 'Export who clicked',
    key: 'shift+e',
    at: hot,
    on: hotItem,
    takes: 'row',
    input: rows => ({ id: rows[0]!.id, format: 'xlsx' as const }),
  }),
}

type Marked = {
  id: number
  mid: number
  city_id: number
  is_recommend: boolean
  drop_reason: string | null
  blocked_reason: string | null
}
const unblocked = ({ blocked_reason }: { blocked_reason: string | null }): true | Text =>
  !blocked_reason ||
  (blockReasons[blocked_reason as BlockReason] ?? ['不可推荐', 'Can’t be recommended'])
const free = (row: Marked): true | Text =>
  row.is_recommend ? ['已在推荐位上', 'Already recommended'] : unblocked(row)
const standing = (row: Marked): true | Text =>
  row.is_recommend || row.drop_reason !== null || ['不在推荐位上', 'Not recommended']
const place = (rows: readonly Marked[]) => ({
  mid: rows[0]!.mid,
  city_id: rows[0]!.city_id,
  ids: rows.map(row => row.id),
})
export const couponActions = {
  recommend: action(couponBoard.recommend, {
    title: '设为推荐',
    en: 'Recommend',
    key: 'a',
    at: coupons,
    on: couponRow,
    takes: 'row',
    main: true,
    when: free,
    input: place,
  }),
  unrecommend: action(couponBoard.unrecommend, {
    title: '取消推荐',
    en: 'Remove from recommended',
    key: 'r',
    at: coupons,
    on: couponRow,
    takes: 'row',
    main: 'plain',
    when: standing,
    input: place,
  }),
  sort: action(couponBoard.sort, {
    title: '调整顺序',
    en: 'Save the order',
    key: 's',
    at: coupons,
  }),
  batchRecommend: action(couponBoard.batchRecommend, {
    title: '批量推荐',
    en: 'Recommend selected',
    key: 'shift+a',
    at: coupons,
    on: couponRow,
    most: 100,
    when: free,
    input: place,
  }),
  batchUnrecommend: action(couponBoard.batchUnrecommend, {
    title: '批量取消',
    en: 'Remove selected from recommended',
    key: 'shift+r',
    at: coupons,
    on: couponRow,
    most: 100,
    when: standing,
    input: place,
  }),
  jumpCoupon: action('mall.coupon.jumpCoupon', {
    title: '打开优惠券',
    en: 'Open coupon',
    key: 'o',
    at: coupons,
    on: couponRow,
    takes: 'row',
  }),
}
const titled: { title: string; en: string; key: string } = {
  title: '设置推荐标题',
  en: 'Set the title',
  key: 't',
}
export const groupActions = {
  recommend: action(groupBoard.recommend, {
    title: '设为推荐',
    en: 'Recommend',
    key: 'a',
    at: groups,
    on: offerRow,
    main: true,
    most: 100,
    when: free,
    input: place,
  }),
  unrecommend: action(groupBoard.unrecommend, {
    title: '取消推荐',
    en: 'Remove from recommended',
    key: 'r',
    at: groups,
    on: offerRow,
    main: 'plain',
    most: 100,
    when: standing,
    input: place,
  }),
  sort: action(groupBoard.sort, { title: '调整顺序', en: 'Save the order', key: 's', at: groups }),
  setTitle: action(groupBoard.setTitle, { ...titled, at: groups }),
  batchTime: action(groupBoard.batchTime, {
    title: '批量改售卖与核销时间',
    en: 'Change sale and redeem times',
    key: 'shift+t',
    at: groups,
    on: offerRow,
  }),
  timeLogs: action('mall.group.timeLogs', {
    title: '查看改期日志',
    en: 'Time changes',
    key: 'shift+l',
    at: groups,
    permit: groupBoard.timeLogs.permit,
  }),
  preview: action('mall.group.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    at: groups,
  }),
}
export const voucherActions = {
  recommend: action(voucherBoard.recommend, {
    title: '设为推荐',
    en: 'Recommend',
    key: 'a',
    at: vouchers,
    on: offerRow,
    takes: 'row',
    main: true,
    when: free,
    input: place,
  }),
  unrecommend: action(voucherBoard.unrecommend, {
    title: '取消推荐',
    en: 'Remove from recommended',
    key: 'r',
    at: vouchers,
    on: offerRow,
    takes: 'row',
    main: 'plain',
    when: standing,
    input: place,
  }),
  sort: action(voucherBoard.sort, {
    title: '调整顺序',
    en: 'Save the order',
    key: 's',
    at: vouchers,
  }),
  batchRecommend: action(voucherBoard.batchRecommend, {
    title: '批量推荐',
    en: 'Recommend selected',
    key: 'shift+a',
    at: vouchers,
    on: offerRow,
    most: 100,
    when: free,
    input: place,
  }),
  batchUnrecommend: action(voucherBoard.batchUnrecommend, {
    title: '批量取消',
    en: 'Remove selected from recommended',
    key: 'shift+r',
    at: vouchers,
    on: offerRow,
    most: 100,
    when: standing,
    input: place,
  }),
  preview: action('mall.voucher.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    at: vouchers,
  }),
}
export const featuredActions = {
  pick: action(featuredBoard.pick, {
    title: '加入精选',
    en: 'Feature',
    key: 'a',
    at: featured,
    on: offerRow,
    main: true,
    most: 100,
    when: free,
    input: place,
  }),
  remove: action(featuredBoard.remove, {
    title: '移出精选',
    en: 'Remove from featured',
    key: 'r',
    at: featured,
    on: offerRow,
    main: 'plain',
    most: 100,
    when: standing,
    input: place,
  }),
  sort: action(featuredBoard.sort, {
    title: '调整顺序',
    en: 'Save the order',
    key: 's',
    at: featured,
  }),
  setTitle: action(featuredBoard.setTitle, { ...titled, title: '设置专区标题', at: featured }),
  schedule: action(featuredBoard.schedule, {
    title: '设置展示时间',
    en: 'Set display period',
    key: 'e',
    at: featured,
    on: offerRow,
    takes: 'row',
    when: row => row.is_recommend || ['先加入精选', 'Feature it first'],
    asks: {
      start_at: ask.time({
        label: ['开始（空为立即）', 'From (empty: now)'],
        optional: true,
        initial: rows => rows[0]?.recommend_start_at ?? undefined,
      }),
      end_at: ask.time({
        label: ['结束（空为不限）', 'Until (empty: no end)'],
        optional: true,
        initial: rows => rows[0]?.recommend_end_at ?? undefined,
        check: (value, answers) =>
          value !== undefined && answers.start_at !== undefined && value <= answers.start_at
            ? ['结束须晚于开始', 'Must be after the start']
            : undefined,
      }),
    },
    input: (rows, asked) => ({
      mid: rows[0]!.mid,
      city_id: rows[0]!.city_id,
      id: rows[0]!.id,
      version: rows[0]!.version,
      start_at: asked.start_at ?? null,
      end_at: asked.end_at ?? null,
    }),
  }),
  replace: action(featuredBoard.replace, {
    title: '一键替换失效商品',
    en: 'Replace unavailable items',
    key: 'shift+r',
    at: featured,
    input: (_, asked) => ({ mid: given(asked).mid, city_id: given(asked).city_id }),
  }),
  preview: action('mall.productsFeatured.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    at: featured,
  }),
}

const floorFields = {
  level_no: ask.number({
    label: ['层号（地下为负）', 'Level (negative below ground)'],
    min: FLOOR_MIN,
    max: FLOOR_MAX,
    initial: rows => rows[0]?.level_no,
    check: value => (Number.isInteger(value) ? undefined : required),
  }),
  name: ask.text({
    label: ['楼层名（空则按层号）', 'Name (empty: by level)'],
    max: 10,
    min: 0,
    optional: true,
    initial: rows => rows[0]?.name,
  }),
  alias: ask.text({
    label: ['别名', 'Alias'],
    max: 20,
    min: 0,
    optional: true,
    initial: rows => rows[0]?.alias,
  }),
}
const floorOne = (rows: readonly FloorRow[]) => ({ id: rows[0]!.id, version: rows[0]!.version })
const floorBody = (asked: { level_no: number; name?: string; alias?: string }) => ({
  level_no: asked.level_no,
  name: asked.name?.trim() || floorName(asked.level_no),
  alias: asked.alias ?? '',
})
export const floorActions = {
  create: action(floorCalls.create, {
    title: '新增楼层',
    en: 'New floor',
    key: 'c',
    at: floors,
    main: true,
    asks: floorFields,
    input: (_, asked) => ({ mid: given(asked).mid, ...floorBody(asked) }),
  }),
  edit: action(floorCalls.edit, {
    title: '编辑楼层',
    en: 'Edit floor',
    key: 'e',
    at: floors,
    on: floorRow,
    takes: 'row',
    main: true,
    asks: floorFields,
    input: (rows, asked) => ({ ...floorOne(rows), ...floorBody(asked) }),
  }),
  del: action(floorCalls.del, {
    title: '删除楼层',
    en: 'Delete floor',
    key: 'd',
    danger: true,
    at: floors,
    on: floorRow,
    takes: 'row',
    asks: {
      move_to: ask.entity({
        label: ['门店移到（有门店时必选）', 'Move stores to (required if it has any)'],
        optional: true,
        find: floorCalls.options,
        given: rows => ({ mid: rows[0]?.mid }),
        labelOf: row => `${row.name} ${row.alias}`,
        shown: () => true,
      }),
    },
    input: (rows, asked) => ({
      id: rows[0]!.id,
      ...(asked.move_to ? { move_to: asked.move_to } : {}),
    }),
  }),
  sort: action(floorCalls.sort, { title: '调整顺序', en: 'Save the order', key: 's', at: floors }),
  uploadMap: action(floorCalls.uploadMap, {
    title: '上传平面图',
    en: 'Upload plan',
    key: 'u',
    at: floors,
    on: floorRow,
    takes: 'row',
    asks: {
      image: ask.images({
        label: ['平面图', 'Plan'],
        max: 1,
        optional: true,
        maxBytes: 5 * 1024 * 1024,
        initial: rows => (rows[0]?.map_image ? [rows[0].map_image] : []),
      }),
    },
    input: (rows, asked) => ({ ...floorOne(rows), map_image: asked.image?.[0] ?? null }),
  }),
  moveStores: action(floorCalls.moveStores, {
    title: '批量移动门店',
    en: 'Move stores',
    key: 'm',
    at: floors,
    on: floorStore,
    most: 500,
    asks: {
      floor: ask.entity({
        label: ['移到楼层', 'To floor'],
        find: floorCalls.options,
        given: rows => ({ mid: rows[0]?.mid }),
        labelOf: row => `${row.name} ${row.alias}`,
      }),
    },
    when: (row: FloorStore) =>
      'door_no' in row || ['请在门店列选择门店', 'Choose stores in the stores column'],
    input: (rows, asked) => ({ store_ids: rows.map(row => row.id), floor_id: asked.floor }),
  }),
  show: action(floorCalls.show, {
    title: '展示',
    en: 'Show',
    key: 'a',
    at: floors,
    on: floorRow,
    takes: 'row',
    when: row => !row.is_show || ['已展示', 'Already shown'],
    input: floorOne,
  }),
  hide: action(floorCalls.hide, {
    title: '隐藏',
    en: 'Hide',
    key: 'o',
    at: floors,
    on: floorRow,
    takes: 'row',
    when: row => row.is_show || ['已隐藏', 'Already hidden'],
    input: floorOne,
  }),
}

const jumps = {
  stores: ['门店列表', 'Stores'],
  products: ['商品列表', 'Products'],
  link: ['打开链接', 'Link'],
} as const satisfies Record<string, Text>
const categoryFields = {
  name: ask.text({ label: ['名称', 'Name'], max: 8, initial: rows => rows[0]?.name }),
  parent: ask.entity({
    label: ['上级（空为一级）', 'Parent (empty: top level)'],
    optional: true,
    find: categoryCalls.options,
    labelOf: row => row.name,
    given: (rows, answers) => ({ mid: rows[0]?.mid ?? answers.mid }),
    initial: rows => rows[0]?.parent_id || undefined,
    named: rows => rows[0]?.parent_name,
  }),
  icon: ask.images({
    label: ['图标', 'Icon'],
    max: 1,
    maxBytes: 5 * 1024 * 1024,
    initial: rows => (rows[0]?.icon ? [rows[0].icon] : []),
  }),
  jump: ask.choice({
    label: ['打开', 'Opens'],
    options: jumps,
    initial: rows => rows[0]?.jump_kind ?? 'stores',
  }),
  gathers: ask.entities({
    label: ['归集的经营分类', 'Business categories'],
    find: categoryCalls.platform,
    max: 60,
    labelOf: (row, lang) => `${row.name}${say(aside, lang, { it: row.store_count })}`,
    initial: rows => rows[0]?.shop_category_ids,
    named: rows =>
      Object.fromEntries(
        (rows[0]?.shop_category_ids ?? []).map((id: number, at: number) => [
          id,
          rows[0].shop_category_names[at] ?? `#${id}`,
        ]),
      ),
    shown: answers => answers.jump !== 'link',
  }),
  link: ask.entity({
    label: ['链接', 'Link'],
    find: categoryCalls.links,
    labelOf: row => row.name,
    initial: rows => rows[0]?.page_link_id ?? undefined,
    named: rows => rows[0]?.link_name,
    shown: answers => answers.jump === 'link',
  }),
}
type CategoryAsked = {
  name: string
  parent?: number
  icon: string[]
  jump: string
  gathers?: number[]
  link?: number
}
const categoryBody = (asked: CategoryAsked) => ({
  name: asked.name,
  parent_id: asked.parent ?? 0,
  icon: asked.icon[0] ?? '',
  jump_kind: asked.jump as keyof typeof jumps,
  ...(asked.jump === 'link'
    ? { page_link_id: asked.link }
    : { shop_category_ids: asked.gathers ?? [] }),
})
const categoryOne = (rows: readonly CategoryRow[]) => ({
  id: rows[0]!.id,
  version: rows[0]!.version,
})
export const categoryActions = {
  create: action(categoryCalls.create, {
    title: '新增分类',
    en: 'New category',
    key: 'c',
    at: categories,
    main: true,
    asks: categoryFields,
    input: (_, asked) => ({ mid: given(asked).mid, ...categoryBody(asked) }),
  }),
  edit: action(categoryCalls.edit, {
    title: '编辑分类',
    en: 'Edit category',
    key: 'e',
    at: categories,
    on: categoryRow,
    takes: 'row',
    main: true,
    asks: categoryFields,
    input: (rows, asked) => ({ ...categoryOne(rows), ...categoryBody(asked) }),
  }),
  del: action(categoryCalls.del, {
    title: '删除分类',
    en: 'Delete category',
    key: 'd',
    danger: true,
    at: categories,
    on: categoryRow,
    takes: 'row',
    asks: {
      clear: ask.flag({
        label: ['一并清空其推荐门店', 'Also clear its recommended stores'],
        initial: () => false,
      }),
    },
    input: (rows, asked) => ({ id: rows[0]!.id, clear_recommend: asked.clear }),
  }),
  sort: action(categoryCalls.sort, {
    title: '调整顺序',
    en: 'Save the order',
    key: 's',
    at: categories,
  }),
  show: action(categoryCalls.show, {
    title: '展示',
    en: 'Show',
    key: 'a',
    at: categories,
    on: categoryRow,
    takes: 'row',
    when: row => !row.is_show || ['已展示', 'Already shown'],
    input: categoryOne,
  }),
  hide: action(categoryCalls.hide, {
    title: '隐藏',
    en: 'Hide',
    key: 'o',
    at: categories,
    on: categoryRow,
    takes: 'row',
    when: row => row.is_show || ['已隐藏', 'Already hidden'],
    input: categoryOne,
  }),
  saveSettings: action(categoryCalls.saveSettings, {
    title: '保存分类设置',
    en: 'Save settings',
    key: 'shift+s',
    at: categories,
  }),
  copyFrom: action(categoryCalls.copy, {
    title: '复制其他商场分类',
    en: 'Copy from another mall',
    key: 'shift+c',
    at: categories,
    asks: {
      from: ask.entity({
        label: ['从哪个商场', 'From mall'],
        find: mallPicker,
        key: 'mid',
        labelOf: row => `${row.name} · ${row.city_name}`,
      }),
      sure: ask.flag({
        label: ['确认替换现有分类（可恢复）', 'Replace the present categories (can be restored)'],
        initial: () => false,
        check: value => (value ? undefined : ['请确认替换', 'Confirm the replacement']),
      }),
    },
    input: (_, asked) => ({
      mid: given(asked).mid,
      copy_from_mid: asked.from,
      confirm: asked.sure,
    }),
  }),
  preview: action('mall.category.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    at: categories,
  }),
}
/** For the panel that lists what copies replaced. */
export const restoreCategories = action('mall.category.restore', {
  title: '恢复被替换的分类',
  en: 'Restore replaced categories',
  key: 'shift+b',
  at: categories,
  permit: categoryCalls.restore.permit,
})

const storesOf = (rows: readonly StoreRow[]) => ({
  mid: rows[0]!.mid,
  category_id: rows[0]!.category_id,
  store_ids: rows.map(row => row.store_id),
})
const freeStore = (row: StoreRow): true | Text =>
  row.is_recommend ? ['已推荐', 'Already recommended'] : unblocked(row)
const onStore = (row: StoreRow): true | Text => row.is_recommend || ['未推荐', 'Not recommended']
export const shopActions = {
  setRecommend: action(recommendSet.set, {
    title: '设为推荐',
    en: 'Recommend',
    key: 'a',
    at: shops,
    on: storeRow,
    main: true,
    most: 100,
    when: freeStore,
    input: rows => ({ ...storesOf(rows), is_recommend: true }),
  }),
  cancel: action(shopBoard.cancel, {
    title: '取消推荐',
    en: 'Remove from recommended',
    key: 'r',
    at: shops,
    on: storeRow,
    takes: 'row',
    main: 'plain',
    when: onStore,
    input: storesOf,
  }),
  updSort: action(recommendSet.updSort, {
    title: '调整顺序',
    en: 'Save the order',
    key: 's',
    at: shops,
  }),
  batchCancel: action(shopBoard.batchCancel, {
    title: '批量取消',
    en: 'Remove selected from recommended',
    key: 'shift+r',
    at: shops,
    on: storeRow,
    most: 100,
    when: onStore,
    input: storesOf,
  }),
  copyOrder: action(shopBoard.copyOrder, {
    title: '复制顺序到其他分类',
    en: 'Copy order to categories',
    key: 'shift+c',
    at: shops,
    asks: {
      to: ask.entity({
        label: ['到分类', 'To category'],
        find: categoryCalls.options,
        labelOf: row => row.name,
        given: (_, answers) => ({ mid: answers.mid, all: true }),
      }),
    },
    input: (_, asked) => ({
      mid: given(asked).mid,
      from_category_id: (asked as unknown as { from: number }).from,
      category_id: asked.to,
    }),
  }),
  history: action('mall.shop.history', {
    title: '查看变更记录',
    en: 'Changes',
    key: 'l',
    at: shops,
    permit: shopBoard.history.permit,
  }),
}
called(storeRow, of => of.store_name)
/** A recommendation that somebody pays for: its window and its contract. */
export const paidPlacement = action('mall.shop.paid', {
  title: '设为付费推荐',
  en: 'Paid placement',
  key: 'p',
  at: shops,
  on: storeRow,
  takes: 'row',
  permit: recommendSet.set.permit,
  when: (row: StoreRow) =>
    row.blocked_reason
      ? (blockReasons[row.blocked_reason as BlockReason] ?? ['不可推荐', 'Can’t be recommended'])
      : true,
  asks: {
    contract_no: ask.text({
      label: ['合同编号', 'Contract number'],
      max: 30,
      initial: rows => rows[0]?.contract_no,
    }),
    start_at: ask.time({
      label: ['开始', 'From'],
      initial: rows => rows[0]?.start_at ?? unixNow(),
    }),
    end_at: ask.time({
      label: ['结束', 'Until'],
      initial: rows => rows[0]?.end_at ?? unixNow() + 30 * DAY,
    }),
  },
})
